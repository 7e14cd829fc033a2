/** Signals a stand-in hands on; SIGKILL and SIGSTOP cannot be seen by any program. */
export const forwardedSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
export type ForwardedSignal = (typeof forwardedSignals)[number];
