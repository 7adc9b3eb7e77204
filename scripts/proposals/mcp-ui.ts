/** Rows of `docs/proposals.md`: the view component and the test tool of mcp4h. @module */

import { none, other, same, type Proposal } from './row.ts'

const ELEMENT = 'pages/host/view.slow.test.ts'
const EXPLORER = 'pages/console/explorer.test.ts'

/** The component `mcp-ui` beside `<mcp-view>`. */
export const VIEW: Proposal = {
  title: 'mcp4h: the view component (mcp-ui)',
  source:
    'The page, and the component `<mcp-view>` 0.1.0. Ours has the same name: [reference](mcp-view.md).',
  rows: [
    same('A web component shows a page in a sandboxed frame', '`<mcp-view>`, without a framework', [
      ELEMENT,
      'receives its input and its result, and has a title',
    ]),
    other(
      'The page is text in a frame of the host page',
      'behind a sandbox page of another origin, with its policy as a header',
      [ELEMENT, 'is refused if it has the origin of the page'],
      'MCP Apps requires it: without it a page may fetch from anywhere',
    ),
    same('The host page registers what answers reads and tool calls', 'the property `server`', [
      ELEMENT,
      'for a tool call has no grants of its own, and emits an event',
    ]),
    other(
      'Messages of its own (`mcp:…`)',
      'those of MCP Apps',
      [
        'pages/host/official-app.slow.test.ts',
        'receives the partial input, the input and the result, each once',
      ],
      'Apps for one host run in all',
    ),
    other(
      'The 79 `--mcp-` variables, utility classes and CSS layers',
      'the 76 variables of MCP Apps',
      [ELEMENT, 'is sent with its theme, its variables and its language, then only changes'],
      'They were standardised after the proposal; an app brings its own style',
    ),
    none(
      'Links, scripts and images at `ui://` addresses in a page',
      'A page of MCP Apps is one document; it reads further resources by `resources/read`',
    ),
    same('Data and results are given to the guest', '`toolInput` and `toolResult`', [
      ELEMENT,
      'sends an input before a result that was set first',
    ]),
    same('`auto-height` and `max-height`', 'the app chooses its height, within `max-height`', [
      ELEMENT,
      'for a height is limited by the page',
    ]),
    same('`csp` and `allowedOrigins`', 'what the resource declares, or `resourceMeta`', [
      ELEMENT,
      'has the rules of its content, else those of its entry in the list, and never both',
    ]),
    none(
      '`defer` and `render()`',
      'A page appends the element when it wants it to be drawn; `reload()` draws it again',
    ),
    other(
      'No DOM events',
      'an event for whatever an app asks',
      ['pages/host/mcp-cli.test.ts', '%s reaches the page once, and is answered once'],
      'A host without a framework needs them',
    ),
  ],
}

/** The test tool beside the console. */
export const TEST_TOOL: Proposal = {
  title: 'mcp4h: the test tool (mcp-test)',
  source: 'The page, and the screens of the tool. Ours is the [console](console.md).',
  rows: [
    same('Connects to any server, with a configuration', 'Streamable HTTP, both eras', [
      'pages/console/foreign.test.ts',
      'connects to another server when the user enters it',
    ]),
    none(
      'Servers over stdio and SSE',
      'A page can start no program, and SSE is deprecated; `mcp-proxy` makes them reachable',
    ),
    same('OAuth with registration of the client', 'in a popup, or by leaving the page', [
      'pages/host/oauth.test.ts',
      'signs in in a popup, which then closes',
    ]),
    other(
      'Arguments, configuration and policies are JSON',
      'forms from their schemas, with JSON beside them',
      ['host/forms/model.test.ts', 'each offer the fields that they may set'],
      'A form shows what may be set',
    ),
    same('The live sentence of a call', 'values of the call are marked', [
      'host/mcp/tool-facts.test.ts',
      'marks the values of the arguments',
    ]),
    same('Saved inputs', 'with description and request options', [
      'pages/console/links.test.ts',
      'saves an input with its description and request options',
    ]),
    same('Inputs from the schema', 'an example that is valid', [
      'pages/console/links.test.ts',
      'fills the arguments with an example, and keeps what is there',
    ]),
    same('Resources with templates', 'with suggestions', [
      EXPLORER,
      'reads resources by list, by template with suggestions, and by link',
    ]),
    same('Prompts', 'with their arguments', [
      EXPLORER,
      'gets prompts of another server, with their arguments',
    ]),
    same('Finds applications by itself', 'and opens several at once', [
      'pages/console/apps.test.ts',
      'finds the applications, and asks the person before an app changes files',
    ]),
    same('Finds reviews and differences in a result', 'as tabs of the result', [
      'pages/console/console.test.ts',
      'leads from a first visit to a previewed change, and to its undo',
    ]),
    same('Highlighted content', 'in the colours of the console', [
      'pages/console/highlight.test.ts',
      'a file that was read with _meta.highlight has colours in %s',
    ]),
    same('A raw log, filtered and copied', 'every message, paired, paused and exported', [
      'pages/console/log.test.ts',
      'shows every message with its answer, filtered, paused, exported and cleared',
    ]),
    same('Requested scopes', 'as a question, whose answer repeats the call', [
      'pages/console/rules.slow.test.ts',
      'asks before a call uses paths outside the roots, and stores the decision',
    ]),
    same('A policy for a call', 'a form in its request options, and the refusal of the server', [
      'pages/host/connection.slow.test.ts',
      'reports a refused policy',
    ]),
    same('Full screen', 'without loading the app again', [
      ELEMENT,
      'fill the window without loading the app again, until Escape',
    ]),
    other(
      'The definition of a server, with switches for its parts',
      'the first message of the log, beside pages for tools, resources and prompts',
      [
        'pages/console/log.test.ts',
        'shows every message with its answer, filtered, paused, exported and cleared',
      ],
      'It is the answer to the handshake, as the server sent it',
    ),
    other(
      'Restarts servers',
      'reconnects by itself, after 1, 2, 4 and at most 30 seconds',
      ['host/mcp/reconnect.test.ts', 'tries after 1, 2, 4 and at most 30 seconds, without an end'],
      'It starts none',
    ),
  ],
}
