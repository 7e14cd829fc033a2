/** A button that folds and unfolds what belongs to it. */

import { useId, useState, type ReactNode } from 'react';
import { useReadingPlace } from './reading-place.ts';

/** Closed at first. `label` is the button's name. */
export function Disclosure({ label, children }: { label: string; children: () => ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const place = useReadingPlace();
  return (
    <>
      <button
        type="button"
        className="disclosure"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          place.keep();
          setOpen(!isOpen);
        }}
      >
        <span className="chevron" aria-hidden="true" />
        {label}
      </button>
      <div id={id} className="disclosed" hidden={!isOpen}>
        {isOpen ? children() : null}
      </div>
    </>
  );
}
