import { defineCases } from 'playhead/playwright';

// Every case with drive "scenario"; those with drive "spec" have a spec of their own beside them.
defineCases('.');
