export * from './divergence.ts';
export * from './verdict.ts';
