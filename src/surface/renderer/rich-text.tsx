/** The text of a message: prose as it is, fenced code in its own block; nothing else is made of it. */

import { memo, type ReactNode } from 'react';
import { displayText } from './display-text.ts';
import { splitFences } from './split-fences.ts';

export const RichText = memo(function RichText({ text }: { text: string }): ReactNode {
  const parts = splitFences(displayText(text));
  if (parts.length === 0) return <p className="prose" />;
  return parts.map((part, index) =>
    part.kind === 'code' ? (
      <pre key={index} className="code" role="group" tabIndex={0} aria-label="Code">
        <code>{part.text}</code>
      </pre>
    ) : (
      <p key={index} className="prose">
        {part.text}
      </p>
    ),
  );
});
