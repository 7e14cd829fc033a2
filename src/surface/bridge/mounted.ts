/** Waits until the app stands in the page: its status is the last thing that a loading window lacks. */

export type MountPage = Pick<Document, 'querySelector' | 'documentElement'>;
export type ObserveChanges = (onChange: () => void) => () => void;

export function whenMounted(page: MountPage, observe: ObserveChanges): Promise<void> {
  const isMounted = () => page.querySelector('[role="status"], output') !== null;
  if (isMounted()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = observe(() => {
      if (!isMounted()) return;
      end();
      resolve();
    });
  });
}
