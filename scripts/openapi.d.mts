/** The text of docs/openapi.json. */
export function openapiDocument(): Promise<string>;
