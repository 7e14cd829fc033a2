// In place of the product's own codex.mjs: no process at all, and a page that shows a success.
export function startCodex({ onNotice }) {
  const answers = {
    initialize: () => ({}),
    'thread/start': () => ({ thread: { id: 'thread' } }),
    'turn/start'() {
      onNotice('turn/started', { turn: { id: 'turn' } });
      onNotice('item/completed', { item: { type: 'agentMessage', id: 'message', text: 'Hello to the whole team!' } });
      onNotice('turn/completed', { turn: { id: 'turn', status: 'completed' } });
      return {};
    },
  };
  return { send() {}, call: async (method) => answers[method](), close: async () => {}, kill() {} };
}
