/** The page of the console that shows what waits. @module */

/** Returns its address, for the workspace at a base address. */
export function waitingPage(base: string): string {
  const { origin, pathname } = new URL(base)
  const at = pathname === '/' ? '' : `?at=${pathname}/mcp`
  return `${origin}/${at}#/waiting`
}
