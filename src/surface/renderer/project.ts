/** The project folder that paths are shown relative to. */

import { createContext, useContext } from 'react';
import { displayExact } from './display-text.ts';
import { relativePath } from './tool-facts.ts';

export const ProjectContext = createContext('');

/** Shows paths below the project without it. */
export function useShortPath(): (path: string) => string {
  const project = useContext(ProjectContext);
  return (path) => displayExact(relativePath(path, project));
}
