/**
 * The server of a preview, as its page reaches it: it reads with the access of the console, and changes
 * nothing, because nothing of the app is approved yet.
 *
 * `test/host/console/preview-server.test.ts` has the cases.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { ERROR_META, FILE_SCHEME } from '#core/wire.ts'
import { factsOf } from '../../mcp/tool-facts.ts'
import type { Connection } from '../../mcp/connection.ts'
import type { Tool } from '../../mcp/types.ts'
import type { CallToolResult, ViewServer } from '../../view/types.ts'
import { convertTool } from '../apps/older-forms.ts'

export interface PreviewSource {
  readonly name: string
  readonly title: string
  /** Returns the data of the app, as its tool will. */
  readonly readData: (signal: AbortSignal) => Promise<CallToolResult>
}

/** A call of a tool that only reads. */
export interface ReadingCall {
  readonly tool: Tool
  readonly args: JsonRecord
  readonly meta: JsonRecord
  readonly signal: AbortSignal
}

/** What a preview uses of the console. */
export interface PreviewParts {
  readonly open: Pick<Connection, 'tools' | 'request'>
  /** Returns what the preview shows now. */
  readonly source: () => PreviewSource
  /** Makes a call as any app in the console; null if the person denied it. */
  readonly call: (call: ReadingCall) => Promise<CallToolResult | null>
}

export function createPreviewServer({ open, source, call }: PreviewParts): ViewServer {
  return {
    async readResource(uri, { signal }) {
      if (!uri.startsWith(FILE_SCHEME)) throw new Error(`A preview reads only files, not ${uri}`)
      const { contents } = await open.request('resources/read', { uri }, { signal })
      return { contents: Array.isArray(contents) ? contents : [] }
    },
    // With them the view checks which ones are for apps, as it does for an approved app.
    tools() {
      const own = `open_${source().name}`
      const others = open.tools.filter(({ name }) => name !== own)
      return [{ name: own }, ...others.map(({ raw, name }) => ({ ...convertTool(raw), name }))]
    },
    async callTool({ name, arguments: args = {}, _meta: meta = {} }, { signal }) {
      const shown = source()
      if (name === `open_${shown.name}`) return shown.readData(signal)
      const tool = open.tools.find((one) => one.name === name)
      if (!tool) throw new Error(`Cannot call ${name}: the server has no such tool`)
      if (!factsOf(tool).readOnly) return refuse(READS_ONLY, 'PREVIEW_READS_ONLY')
      const result = await call({ tool, args, meta, signal })
      return result ?? refuse('You denied this call', 'DENIED_BY_PERSON')
    },
  }
}

const READS_ONLY =
  'This is a preview, which changes nothing. Create the app and approve it to make changes'

const refuse = (text: string, code: string) => ({
  isError: true,
  content: [{ type: 'text', text: `${text} [${code}]` }],
  _meta: { [ERROR_META]: { code } },
})
