/** What the window holds at each checkpoint of a case: all of it, so that what must not be there is not there. */

export type Stop = {
  /** Name of the checkpoint in the plan. */
  at: string;
  status: 'ready' | 'working' | 'waiting for approval' | 'failed';
  /** Of each turn, in order. */
  turns: string[];
  /** Lines of the transcript by role and name; every line, and no other. */
  transcript: string[];
  /** Prompts in the queue; default none. */
  queue?: string[];
  /** Why its picture is the one before, where it is. */
  alike?: string;
};

const submitted = 'a turn that is submitted and one that runs are both "working" to a person';

const welcome: Stop = {
  at: 'replay.bootstrap',
  status: 'ready',
  turns: [],
  transcript: ['- heading "What shall we work on?" [level=2]', '- paragraph: Describe a change, or ask about the project. Commands and edits wait for your approval.'],
};

const user = (text: string) => ['- text: "You:"', `- paragraph: ${text}`];
const agent = (text: string) => ['- text: "Agent:"', `- paragraph: ${text}`];
/** From nothing to a turn that runs and has said nothing. */
const begins = (prompt: string): Stop[] => [
  welcome,
  { at: 'project.binding-ready', status: 'working', turns: ['submitted'], transcript: user(prompt) },
  { at: 'turn.working', status: 'working', turns: ['running'], transcript: user(prompt), alike: submitted },
];
const tool = (title: string, state: string, details: string[] = []) => [
  `- article ${JSON.stringify(title)}:`,
  `  - heading ${JSON.stringify(title)} [level=3]`,
  `  - text: ${state}`,
  details.length > 0 ? '  - button "Details" [expanded]' : '  - button "Details"',
  ...details.map((line) => `  ${line}`),
];
const approval = (question: string[]) => ['- group "Approval needed":', '  - heading "Approval needed" [level=3]', ...question.map((line) => `  ${line}`), '  - button "Approve"', '  - button "Approve for session"', '  - button "Decline"'];

const note = "printf 'version one\\n' > RELEASE.txt && echo note written";
// As Codex asks for it: the shell with its own quoting.
const noteCommand = `/bin/bash -lc "${note.replace('\\', '\\\\')}"`;
const noteAsked = [...user('Create the release note'), ...agent('I will write the note.')];
const shell = (command: string) => ['- group "Command":', `  - code: ${JSON.stringify(command)}`];
const noteOutput = [...shell(noteCommand), '- group "Output": note written', '- paragraph: Exit code 0'];
const noteDone = [...noteAsked, ...tool(note, 'done', noteOutput), `- paragraph: ${JSON.stringify(`Approved: ${note}`)}`];

const logsAsked = (state: string) => [...user('Remove the old logs'), ...tool('rm -r logs', state)];
const logsDeclined = [...logsAsked('declined'), '- paragraph: "Declined: rm -r logs"'];

const diffs = [
  '- figure "farewell.txt added +1 −0":',
  '  - text: farewell.txt added +1 −0',
  '  - group "Changes of farewell.txt":',
  '    - text: "@@ -0,0 +1 @@"',
  '    - insertion: 1 +until tomorrow',
  '- figure "greeting.txt modified +1 −1":',
  '  - text: greeting.txt modified +1 −1',
  '  - group "Changes of greeting.txt":',
  '    - text: "@@ -1 +1 @@"',
  '    - deletion: 1 -good morning',
  '    - insertion: 1 +good evening',
];
const editAsked = (state: string, details: string[] = []) => [...user('Greet in the evening'), ...tool('Edit 2 files', state, details)];
const editDone = [...editAsked('done', diffs), '- paragraph: "Approved: Edit 2 files"'];

const firstColour = [...user('Name a colour'), ...agent('Teal is a good one.')];
const bothColours = [...firstColour, ...user('Name another one')];
const cutStory = [...user('Tell a long story'), ...agent('Once upon a time there was a lighthouse'), '- paragraph: Turn canceled'];

const weights = "printf '3\\n2\\n' > WEIGHTS.txt";
const weightsCommand = `/bin/bash -lc "${weights.replaceAll('\\', '\\\\')}"`;
const [apples, pears, both] = ['Weigh the apples', 'Weigh the pears', 'Write both down'] as const;
const weighed = [...user(apples), ...agent('The apples weigh three kilos.')];
const weighedBoth = [...weighed, ...user(pears), ...agent('The pears weigh two.')];
const writes = [...weighedBoth, ...user(both)];
const approved = `- paragraph: ${JSON.stringify(`Approved: ${weights}`)}`;
const twoDone = ['completed', 'completed'];

export const stops: { [name: string]: Stop[] } = {
  hello: [
    ...begins('Say hello to the team'),
    { at: 'turn.terminal', status: 'ready', turns: ['completed'], transcript: [...user('Say hello to the team'), ...agent('Hello to the whole team!')] },
  ],
  'approve-command': [
    ...begins('Create the release note'),
    { at: 'tool.started', status: 'working', turns: ['running'], transcript: [...noteAsked, ...tool(note, 'running')] },
    { at: 'interaction.pending', status: 'waiting for approval', turns: ['running'], transcript: [...noteAsked, ...tool(note, 'waits for you'), ...approval(['- paragraph: "The agent wants to run this command:"', ...shell(noteCommand)])] },
    { at: 'interaction.resolved', status: 'working', turns: ['running'], transcript: [...noteAsked, ...tool(note, 'running'), `- paragraph: ${JSON.stringify(`Approved: ${note}`)}`] },
    { at: 'tool.completed', status: 'working', turns: ['running'], transcript: noteDone },
    { at: 'turn.terminal', status: 'ready', turns: ['completed'], transcript: [...noteDone, ...agent('The release note is in place.')] },
  ],
  'decline-command': [
    ...begins('Remove the old logs'),
    { at: 'tool.started', status: 'working', turns: ['running'], transcript: logsAsked('running') },
    { at: 'interaction.pending', status: 'waiting for approval', turns: ['running'], transcript: [...logsAsked('waits for you'), ...approval(['- paragraph: "The agent wants to run this command:"', ...shell("/bin/bash -lc 'rm -r logs'")])] },
    { at: 'interaction.resolved', status: 'working', turns: ['running'], transcript: logsDeclined },
    { at: 'turn.terminal', status: 'ready', turns: ['completed'], transcript: [...logsDeclined, ...agent('The logs stay where they are.')] },
  ],
  'file-change': [
    ...begins('Greet in the evening'),
    { at: 'tool.started', status: 'working', turns: ['running'], transcript: editAsked('running') },
    { at: 'interaction.pending', status: 'waiting for approval', turns: ['running'], transcript: [...editAsked('waits for you'), ...approval(['- paragraph: "The agent wants to change these 2 files:"', ...diffs])] },
    { at: 'interaction.resolved', status: 'working', turns: ['running'], transcript: [...editAsked('running'), '- paragraph: "Approved: Edit 2 files"'] },
    { at: 'tool.completed', status: 'working', turns: ['running'], transcript: editDone },
    { at: 'turn.terminal', status: 'ready', turns: ['completed'], transcript: [...editDone, ...agent('The greeting fits the hour.'), '- list "Changed files":', '  - listitem: farewell.txt added +1 −0', '  - listitem: greeting.txt modified +1 −1'] },
  ],
  cancel: [
    ...begins('Tell a long story'),
    { at: 'turn.canceled', status: 'ready', turns: ['canceled'], transcript: cutStory },
    { at: 'turn.canceled 2', status: 'ready', turns: ['canceled'], transcript: cutStory, alike: 'the answer to the stop tells what the end of the turn has shown' },
  ],
  'two-turns': [
    ...begins('Name a colour'),
    // The queue has let it go; the daemon begins its turn only behind this checkpoint.
    { at: 'turn.terminal', status: 'working', turns: ['completed'], transcript: [...bothColours, '- paragraph: Sending'] },
    { at: 'submission.accepted', status: 'working', turns: ['completed', 'submitted'], transcript: bothColours },
    { at: 'turn.working 2', status: 'working', turns: ['completed', 'running'], transcript: bothColours, alike: submitted },
    { at: 'turn.terminal 2', status: 'ready', turns: ['completed', 'completed'], transcript: [...bothColours, ...agent('Then take amber.')] },
  ],
  'model-error': [
    ...begins('Ask the broken model'),
    { at: 'turn.terminal', status: 'failed', turns: ['failed'], transcript: [...user('Ask the broken model'), '- alert:', '  - paragraph: Turn failed', '  - paragraph: "stream disconnected before completion: the lamp oil is used up"'] },
  ],
  fast: [
    welcome,
    { at: 'turn.working', status: 'working', turns: ['running'], transcript: user(apples), queue: [pears, both] },
    { at: 'turn.terminal', status: 'working', turns: ['completed'], transcript: [...weighed, ...user(pears), '- paragraph: Sending'], queue: [both] },
    { at: 'turn.working 2', status: 'working', turns: ['completed', 'running'], transcript: [...weighed, ...user(pears)], queue: [both] },
    { at: 'turn.terminal 2', status: 'working', turns: twoDone, transcript: [...writes, '- paragraph: Sending'] },
    { at: 'submission.accepted', status: 'working', turns: [...twoDone, 'submitted'], transcript: writes },
    { at: 'turn.working 3', status: 'working', turns: [...twoDone, 'running'], transcript: writes, alike: submitted },
    { at: 'tool.started', status: 'working', turns: [...twoDone, 'running'], transcript: [...writes, ...tool(weights, 'running')] },
    { at: 'interaction.pending', status: 'waiting for approval', turns: [...twoDone, 'running'], transcript: [...writes, ...tool(weights, 'waits for you'), ...approval(['- paragraph: "The agent wants to run this command:"', ...shell(weightsCommand)])] },
    { at: 'interaction.resolved', status: 'working', turns: [...twoDone, 'running'], transcript: [...writes, ...tool(weights, 'running'), approved] },
    { at: 'tool.completed', status: 'working', turns: [...twoDone, 'running'], transcript: [...writes, ...tool(weights, 'done'), approved] },
    { at: 'turn.terminal 3', status: 'ready', turns: [...twoDone, 'completed'], transcript: [...writes, ...tool(weights, 'done'), approved, ...agent('Both weights are on file.')] },
  ],
  late: [
    welcome,
    { at: 'turn.working', status: 'working', turns: ['running'], transcript: user('Count to three') },
    { at: 'project.binding-ready', status: 'working', turns: ['running'], transcript: user('Count to three'), alike: 'the answer to the start tells what the turn has shown' },
    // The stop was clicked and comes too late: the turn has ended by itself.
    { at: 'turn.terminal', status: 'ready', turns: ['completed'], transcript: [...user('Count to three'), ...agent('One, two, three.')] },
  ],
};
