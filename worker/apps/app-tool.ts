/**
 * `open_{name}`: the tool of an app. It shows the app in a host that can, and returns the data of the app.
 * `part_of_{name}` is for the page of the app and hidden from models: it reads one large file of the data.
 *
 * The data is read through the workspace of the caller, so an app never shows what its caller may not read, and
 * shows the caller's own draft. `test/worker/apps/app-tool.test.ts` has the cases.
 *
 * @module
 */

import { err, ok } from '#core/result.ts'
import { quoteName } from '#core/quote.ts'
import * as z from 'zod/mini'
import { path } from '../tools/lib/arguments.ts'
import {
  defineRead,
  reading,
  readingFolder,
  type ReadTool,
  type ToolContext,
} from '../tools/lib/tool.ts'
import { findDataFile, readData, readPart, type AppData, type DataFile } from './app-data.ts'
import type { ServedApp } from './apps.ts'
import { folderOf, toolSuffix } from './place.ts'

/** Returns the name of the tool of an app. */
const appToolName = (name: string) => `open_${toolSuffix(name)}`

/** Returns the end of the name of an app's tool, or null. */
export const appOfTool = (tool: string): string | null =>
  tool.startsWith('open_') ? tool.slice('open_'.length) : null

/** Returns the name of the tool that reads a large file of an app. */
const partToolName = (name: string) => `part_of_${toolSuffix(name)}`

/** Returns the end of the name of a tool that reads large files of an app, or null. */
export const appOfPartTool = (tool: string): string | null =>
  tool.startsWith('part_of_') ? tool.slice('part_of_'.length) : null

const FILE = z.object({
  path: z.string(),
  version: z.int(),
  mime: z.string(),
  size: z.int(),
  text: z.optional(z.string()),
  omitted: z.optional(z.enum(['binary', 'too_large'])).check(z.describe('Why there is no text')),
})

/** The arguments and results of the tools of every app. */
export const APP_SCHEMAS = {
  input: () => z.strictObject({}),
  output: () =>
    z.object({
      app: z.string(),
      files: z.array(FILE),
      truncated: z.boolean().check(z.describe('Whether the app has more files than these')),
    }),
}

/** Those of the tools that read a large file of an app. */
export const PART_SCHEMAS = {
  input: () =>
    z.strictObject({
      file: path,
      offset: z._default(z.int().check(z.minimum(0)), 0).check(z.describe('First byte')),
    }),
  output: () =>
    z.extend(FILE, {
      next_offset: z
        .optional(z.int())
        .check(z.describe('First byte of the next part; absent in the last one')),
    }),
}

/** Makes the tool of an app. `uri` is the address of its page. */
export function createAppTool({ name, manifest }: ServedApp, uri: string): ReadTool {
  const { title, description, data } = manifest
  return defineRead({
    name: appToolName(name),
    title,
    description: describe(title, description),
    intent: `Open the app ${escapeTemplate(quoteName(title))}`,
    approval: 'none',
    app: { uri, folder: folderOf(name) },
    ...APP_SCHEMAS,
    touches: () => [readingFolder(folderOf(name))],
    async read(_input, _places, { store, showsApps }) {
      const found = await readData(data, store)
      const structured = { app: name, files: found.files, truncated: found.isCut }
      return ok({ text: tell(title, found, showsApps), structured })
    },
  })
}

/** Makes the tool that reads a large file of an app in parts. */
export function createPartTool({ name, manifest }: ServedApp): ReadTool {
  const { title, data } = manifest
  return defineRead({
    name: partToolName(name),
    title: `${title}: a large file`,
    description: `Read a part of a text file that the app "${title}" shows. For the page of the app.`,
    intent: 'Read {file} [from byte {offset}]',
    approval: 'none',
    appOnly: true,
    app: { folder: folderOf(name) },
    ...PART_SCHEMAS,
    touches: ({ file }) => [reading(file), readingFolder(folderOf(name))],
    async read({ offset }, [place], { store }) {
      const file = findDataFile(data, place, store)
      if (!file) return err({ reason: 'not_found', path: place })
      const part = await readPart(file, offset, store)
      if (!part) return err({ reason: 'bad_argument', code: 'INVALID_OFFSET', detail: INSIDE })
      const structured = { ...part }
      // The page reads the structured content, and a second copy would double the size of the result.
      return ok({ text: summarize(structured), structured })
    },
  })
}

const INSIDE = 'Cannot begin inside a character: give offset as 0 or as the next_offset of a part'

function describe(title: string, description: string): string {
  const what = description === '' ? '' : ` ${description}`
  return `Show the user the app "${title}", over files of the workspace, and return its data.${what}`
}

/** A title is text of an agent, and must not become a template. */
const escapeTemplate = (text: string) => text.replace(/[{}[\]|\\]/g, ' ')

/** A client that shows the app gets a summary, because the app shows the data; any other gets the texts. */
function tell(title: string, { files, isCut }: AppData, isShown: ToolContext['showsApps']): string {
  const more = isCut ? '\n(more files were left out)' : ''
  if (files.length === 0) return `The app "${title}" has no data.`
  const parts = files.map((file) => (isShown ? summarize(file) : section(file)))
  const start = isShown ? `Shown to the user: the app "${title}", with the data of\n` : ''
  return start + parts.join(isShown ? '\n' : '\n\n') + more
}

const summarize = ({ path, version, size }: DataFile) =>
  `${path} (version ${version}; ${size} bytes)`

function section({ text, omitted, ...file }: DataFile): string {
  const why = omitted === 'binary' ? 'not text' : 'too large for this result; use read_file'
  return `== ${summarize({ ...file })}\n${text ?? `(${why})`}`
}
