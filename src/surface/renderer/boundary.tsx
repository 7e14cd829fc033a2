/** Shows a page of words where a component has thrown: React would leave an empty one. */

import { Component, type ReactNode } from 'react';
import { FailurePage } from './failures.tsx';

type Props = { children: ReactNode };

export class Boundary extends Component<Props, { error: unknown; hasFailed: boolean }> {
  override state = { error: null as unknown, hasFailed: false };

  static getDerivedStateFromError(error: unknown): { error: unknown; hasFailed: boolean } {
    return { error, hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <FailurePage title="This window has failed" message={`${wordsOf(this.state.error)}. Nothing is lost: open the window again.`} /> : this.props.children;
  }
}

/** What an error says, whatever was thrown. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
