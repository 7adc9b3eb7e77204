/** Rows of `docs/proposals.md`: the host mcp-cli. @module */

import { none, other, same, type Proposal } from './row.ts'

const CLI = 'pages/host/mcp-cli.test.ts'
const ELEMENT = 'pages/host/view.slow.test.ts'

/** MCP Apps in mcp-cli. */
export const CLI_HOST: Proposal = {
  title: 'mcp-cli: MCP Apps',
  source:
    'The page on MCP Apps of mcp-cli 0.13. Here, `<mcp-view>` is the host, in the console or in any page.',
  rows: [
    same('States from pending to closed', 'loading, connecting, ready, closed, failed', [
      CLI,
      'begins with the answer to ui/initialize, and ends with an awaited teardown',
    ]),
    same('The first result is held until the app is initialized', 'the input comes before it', [
      CLI,
      'holds the first result until the app is initialized, and sends the input before it',
    ]),
    same('A new result goes to the app that runs', 'it does', [
      CLI,
      'sends a further result to the app that runs',
    ]),
    same('A time limit for the initialization', 'an error that the page shows', [
      CLI,
      'reports an app that is not initialized in time',
    ]),
    same('Tool calls and reads are passed on', 'with the limits of the page', [
      CLI,
      '%s %j is answered',
    ]),
    same('A time limit for tool calls', 'an error', [CLI, 'tools/call ends at its time limit']),
    same('Unknown methods are errors', '-32601', [CLI, '%s %j is an error']),
    same('Unknown notifications are ignored', 'they are', [
      CLI,
      'that is unknown is ignored where it is a notification',
    ]),
    same('`ui/open-link` takes http and https alone', 'and a person is asked in the console', [
      CLI,
      'ui/open-link refuses %s',
    ]),
    same('Messages and model context', 'reach the conversation, and are answered once', [
      CLI,
      '%s reaches the page once, and is answered once',
    ]),
    same('Display modes inline and fullscreen', 'and `pip` where the page allows it', [
      CLI,
      'changes the display mode, which the next context says',
    ]),
    other(
      'A server for each app on a port of its own',
      'one sandbox page on another origin',
      [ELEMENT, 'is refused if it has the origin of the page'],
      'A local port without a secret is open to every page',
    ),
    same('Reconnects after 1, 2, 4 and at most 30 seconds', 'it does', [
      'host/mcp/reconnect.test.ts',
      'tries after 1, 2, 4 and at most 30 seconds, without an end',
    ]),
    other(
      'Fifty notifications wait while the connection is down',
      'the newest of each kind',
      [ELEMENT, 'holds the newest notification of each kind for an app that is not ready'],
      'An older state is of no use to an app that draws the newest',
    ),
    same('Structured content is recovered from text', 'of older servers', [
      'host/console/older-forms.test.ts',
      'is recovered from %j',
    ]),
    same('Sources of a CSP are checked', 'what is no origin is dropped and reported', [
      'core/csp.test.ts',
      'drops and reports %j',
    ]),
    other(
      'Teardown is a notification',
      'a request that is awaited, within a limit',
      [
        'pages/host/host-conformance.slow.test.ts',
        'B8: the teardown is a request with an id and a reason, and the frame is removed after the response',
      ],
      'MCP Apps says so',
    ),
    other(
      'After a reconnect the app is notified, and expected to initialize again',
      'an app that reloads gets its input and its result again; one that does not keeps its state',
      [ELEMENT, 'is reconnected when it reloads, with its input and its result'],
      'An app that works would end at the time limit',
    ),
    other(
      'Every tool call of an app is passed on',
      'what changes is asked as its level says; what only reads is asked once, until the app closes',
      [
        'pages/console/app-reads.slow.test.ts',
        'asks an app that polls once, by keyboard, and shows what it may see',
      ],
      'An app is a program of a stranger that acts for the person',
    ),
    same(
      'Settings: how many apps, their times, the port, the browser',
      'in the console, and as flags',
      ['pages/console/app-settings.test.ts', 'are no more than flags of the server permit'],
    ),
    none(
      'A result of the type `ui_patch` goes to an app that runs',
      'It may be the app of another server; an app gets the results of its own tool',
    ),
    same(
      'The frame of an app is sandboxed',
      'without the origin of the page, and with its policy as a header',
      [ELEMENT, 'keeps an app without an origin, also one that declares a domain'],
    ),
    none(
      'Apps at http addresses',
      'A host would fetch what its person may reach; `ui/open-link` asks first',
    ),
  ],
}
