/** Typed MCP requests; all results but that of `prompts/get` are parsed. @module */

import { callResultOf, contentsOf, promptsPage, resourcesPage, templatesPage } from './read.ts'
import type { Request } from './requests.ts'
import type { Connection } from './types.ts'

type Asks = Pick<
  Connection,
  'resources' | 'resourceTemplates' | 'readResource' | 'prompts' | 'getPrompt' | 'call'
>

/** Builds the typed requests of a connection on a raw `request`. */
export const asksOver = (request: Request): Asks => ({
  resources: async (cursor, options) =>
    resourcesPage(await request('resources/list', page(cursor), options)),
  resourceTemplates: async (cursor, options) =>
    templatesPage(await request('resources/templates/list', page(cursor), options)),
  readResource: async (uri, options) =>
    contentsOf(await request('resources/read', { uri }, options)),
  prompts: async (cursor, options) =>
    promptsPage(await request('prompts/list', page(cursor), options)),
  getPrompt: (name, args, options) => request('prompts/get', { name, arguments: args }, options),
  call: async (name, args, options) =>
    callResultOf(await request('tools/call', { name, arguments: args }, options)),
})

const page = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor })
