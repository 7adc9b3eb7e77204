/**
 * The product with its console, for the rows that measure it in a browser: one process on raw workerd, started on first
 * use and shared by the rows, whose static files come from a site that also serves the baselines' pages.
 *
 * @module
 */

import { ASSETS_FOLDER } from '../scripts/built.ts'
import { flatFolder } from './many-files.ts'
import type { Context } from './row.ts'
import { startSite, type Site } from './site.ts'
import { importTar, waitForIndex } from './upload.ts'
import { startWorkerd, stop, type Server } from './workerd.ts'

/** The folder that has all files of the workspace. */
export const FOLDER = 'flat'

/** A running console. */
export interface Console {
  /** The static files, and the pages that were given. */
  readonly site: Site
  readonly server: Server
  /** Returns the URL of a page of the console, such as `#/files`. */
  url(page: string): string
  stop(): Promise<void>
}

/** Starts the product with this many files in one folder. `pages` are further pages of the site. */
export async function startConsole(
  context: Context,
  files: number,
  pages: Readonly<Record<string, string>>,
): Promise<Console> {
  const site = await startSite(ASSETS_FOLDER, pages)
  const server = await startWorkerd('console', {
    ...(await context.worker(null)),
    assets: site.port,
  })
  await fill(server, files)
  return {
    site,
    server,
    url: (page) => `http://localhost:${server.port}/${page}`,
    async stop() {
      await stop(server)
      site.stop()
    },
  }
}

async function fill(server: Server, files: number): Promise<void> {
  await importTar(server, flatFolder(FOLDER, files))
  await waitForIndex(server)
}
