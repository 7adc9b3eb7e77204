/**
 * What `<mcp-view>` reaches of the server: the console's connection, with the questions to the person that each call,
 * request and sampling of the app needs.
 *
 * `test/pages/console/app-reads.slow.test.ts` covers it.
 *
 * @module
 */

import { listReachableOrigins, readCsp } from '#core/csp.ts'
import { recordOf } from '#core/json.ts'
import { ERROR_META } from '#core/wire.ts'
import type { Connection } from '../../mcp/connection.ts'
import { answerSampling } from '../../mcp/sampling.ts'
import type { CallToolResult, Sampling, Tool } from '../../mcp/types.ts'
import type { McpView } from '../../view/element.ts'
import { resourceUriOf } from '../../view/resource.ts'
import type { ViewServer } from '../../view/types.ts'
import type { AppQuestions } from '../questions/app-questions.ts'
import type { AppReads } from '../questions/app-reads.ts'
import { askerOf, askOnce, type CallingApp } from '../questions/calling-app.ts'
import { askForAnswer } from '../questions/queue.ts'
import { callAsApp } from '../tools/calls.ts'
import { describeRequests, requestAsApp } from './app-requests.ts'
import { convertContent, convertTool } from './older-forms.ts'
import { setOwnSandbox } from './own-origin.ts'

/** The app that a view shows. */
export interface AppProps {
  /** The resource to show, if it is not the tool's. */
  readonly uri?: string
  readonly tool?: Tool
  /** The app's name in questions. */
  readonly name: string
  /** Whether it is a page of the console, by which the user reads their own files: stored denials bind apps. */
  readonly isOfConsole?: boolean
  /** Whether the app is shown for an elicitation, which it may answer. */
  readonly elicits?: boolean
  /** Called with the result of each tool call that the app makes. */
  readonly onResult?: (result: CallToolResult) => void
}

/** What the console keeps of an app while it is shown. */
export interface ShownApp {
  /** The properties of now. */
  readonly latest: { readonly current: AppProps }
  readonly element: McpView
  readonly questions: AppQuestions
  readonly reads: AppReads
  /** The resource that the element has loaded. */
  page: unknown
}

export function createViewServer(open: Connection, shown: ShownApp): ViewServer {
  const { latest, element } = shown
  const request = createRequest(open, shown)
  return {
    async readResource(uri, options) {
      // The element chooses the sandbox after it has read the app.
      await setOwnSandbox(element, open.url, uri)
      // The element reads before it runs the app, which may read its own page as well.
      const isLoading = element.state === 'loading'
      const { contents } = await request('resources/read', { uri }, options)
      if (isLoading) shown.page = contents
      return { contents: Array.isArray(contents) ? contents.map(convertContent) : [] }
    },
    tools: () => open.tools.map(toDefinition),
    request,
    async callTool({ name, arguments: args = {}, _meta = {} }, { signal }) {
      const tool = open.tools.find((one) => one.name === name)
      if (!tool) throw new Error(`Cannot call ${name}: the server has no such tool`)
      const outcome = await callAsApp(open, tool, args, appOf(open, shown), { meta: _meta, signal })
      if (outcome.status === 'gave-up' && outcome.reason === 'changed')
        throw new Error(`Cannot call ${name}: the server has changed the tool. Call it again`)
      if (outcome.status !== 'done') return DENIED
      latest.current.onResult?.(outcome.result)
      return outcome.result.raw
    },
  }
}

/** The app as it is now, for its questions. */
function appOf(open: Connection, { latest, element, questions, reads }: ShownApp): CallingApp {
  const { name, elicits } = latest.current
  // A page that another server serves in the place of one of the console is an app of it.
  const isOfConsole =
    latest.current.isOfConsole === true && new URL(open.url).origin === location.origin
  return {
    name,
    questions,
    isOfConsole,
    isInDialog: elicits === true,
    reaches: () => listReachableOrigins(readCsp(element.resourceMeta?.csp).csp),
    reads: isOfConsole ? null : reads,
  }
}

/** Returns what sends the requests of an app that are no tool calls. */
function createRequest(open: Connection, shown: ShownApp) {
  const { latest, element, questions } = shown
  const { host } = new URL(open.url)
  const { tool, uri } = latest.current
  const ownUri = uri ?? resourceUriOf(tool ? toDefinition(tool) : null)
  const send: Connection['request'] = (method, params = {}, options) => {
    const app = appOf(open, shown)
    // The user opened the page itself. An app that reads it again learns nothing.
    if (app.isOfConsole || (method === 'resources/read' && params['uri'] === ownUri))
      return open.request(method, params, options)
    // While it loads, the element looks for the metadata of the page in the list of resources.
    const ask =
      element.state === 'loading'
        ? undefined
        : askOnce(app, askerOf(app, open.server), describeRequests(method))
    return requestAsApp(open, { method, params }, options, ask)
  }
  return async (method: string, params: unknown, options: { signal: AbortSignal }) => {
    if (method !== 'sampling/createMessage') return send(method, recordOf(params), options)
    const ask = (wanted: Sampling) =>
      questions.ask({
        ask: (signal) => askForAnswer(wanted, host, signal, latest.current.name),
        no: null,
        isRefusal: (answer) => answer === null,
        signal: options.signal,
      })
    return recordOf(await answerSampling(recordOf(params), ask))
  }
}

/** The definition as received, which the element passes on to the app. */
export const toDefinition = ({ raw, name }: Tool) => ({ ...convertTool(raw), name })

const DENIED = {
  isError: true,
  content: [{ type: 'text', text: 'The person denied this call [DENIED_BY_PERSON]' }],
  _meta: { [ERROR_META]: { code: 'DENIED_BY_PERSON' } },
}
