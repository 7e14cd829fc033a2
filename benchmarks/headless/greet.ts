/** One turn with the chat product, over HTTP: what its page does, without the page. */

type Event = { type: string; state?: string; status?: string; text?: string };

/** Sends one message and resolves when its turn has ended. */
export async function greet(product: { url: string; cwd: string }): Promise<void> {
  const api = new URL('/api/sessions', product.url).href;
  const { id } = (await (await post(api, { cwd: product.cwd })).json()) as { id: string };
  const stop = new AbortController();
  const response = await fetch(`${api}/${id}/events`, { signal: stop.signal });
  let isAsked = false;
  for await (const event of eventsOf(response)) {
    if (event.type === 'error') throw new Error(event.text);
    if (event.type === 'state' && event.state === 'ready' && !isAsked) {
      isAsked = true;
      await post(`${api}/${id}/messages`, { text: 'Say hello to the team' });
    }
    if (event.type === 'turn' && event.status === 'completed') break;
  }
  stop.abort();
}

async function post(url: string, body: object): Promise<Response> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}`);
  return response;
}

async function* eventsOf(response: Response): AsyncGenerator<Event> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const read of response.body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(read, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield JSON.parse(block.slice('data: '.length)) as Event;
  }
}
