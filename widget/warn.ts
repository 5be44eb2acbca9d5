/** Logs a problem for developers of the page. */
export function warn(message: string): void {
  // biome-ignore lint/suspicious/noConsole: the only place where a developer looks
  console.warn(`Parley chat: ${message}`);
}
