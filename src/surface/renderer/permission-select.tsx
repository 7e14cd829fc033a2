/** How much an agent may do without asking. */

import { useId, type ReactNode } from 'react';
import type { Actions } from '../actions.ts';

export function PermissionSelect({ value, canSet, actions }: { value: string; canSet: boolean; actions: Actions }): ReactNode {
  const id = useId();
  const options = modes.some((mode) => mode.id === value) ? modes : [...modes, { id: value, title: value }];
  return (
    <span className="permission">
      <label htmlFor={id}>Permission</label>
      <select id={id} value={value} disabled={!canSet} onChange={(event) => actions.setSetting('permissionModeId', event.target.value)}>
        {options.map((mode) => (
          <option key={mode.id} value={mode.id}>
            {mode.title}
          </option>
        ))}
      </select>
    </span>
  );
}

const modes = [
  { id: 'read-only', title: 'Read only' },
  { id: 'ask', title: 'Ask first' },
  { id: 'auto', title: 'Ask when needed' },
  { id: 'full', title: 'Never ask' },
];
