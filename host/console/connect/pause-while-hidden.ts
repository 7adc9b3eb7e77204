/**
 * Lets only visible tabs hold a notification stream. Over HTTP/1.1 a browser opens six connections to a host, so the
 * streams of six tabs would leave none for any request.
 *
 * A hidden tab needs no stream: what waits is polled (`drafts/waiting-list.ts`), and the rest is reloaded when the
 * tab is shown. `test/pages/console/many-tabs.slow.test.ts` opens many.
 *
 * @module
 */

import type { Connection } from '../../mcp/connection.ts'

/** Whether the page cannot be seen: its tab is in the background, or its window is minimised. */
export const isPageHidden = () => document.visibilityState !== 'visible'

/**
 * Pauses a connection whenever the page is hidden, until the connection is closed.
 *
 * @param onResume Called when it is in use again after a pause, whose notifications were missed.
 */
export function pauseWhileHidden(connection: Connection, onResume: () => void): void {
  const closed = new AbortController()
  const follow = async () => {
    if (isPageHidden()) return connection.pause()
    if (await connection.resume()) onResume()
  }
  document.addEventListener('visibilitychange', () => void follow(), { signal: closed.signal })
  connection.on('closed', () => closed.abort())
  // The page may have been hidden or shown while the connection was opened.
  void follow()
}
