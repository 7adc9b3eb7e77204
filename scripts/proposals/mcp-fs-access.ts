/** Rows of `docs/proposals.md`: policies and permissions of mcp4h. @module */

import { other, same, type Proposal } from './row.ts'

const CLIENT = 'worker/mcp/mcp-fs.test.ts'
const VECTORS = 'worker/access/vectors.test.ts'
const HOLES = 'worker/access/reference-holes.test.ts'
const CONSENT = 'host/consent/consent.test.ts'
const DECIDE = 'host/consent/decide.test.ts'

/** Policies of calls, scopes, and the questions that a host asks. */
export const POLICY: Proposal = {
  title: 'mcp4h: policies and permissions',
  source: 'The same page; the rules L1 to L18 are in `core/policy/`.',
  rows: [
    other(
      'A server says that it supports policies: `experimental.policy: true`',
      '`{}`; the console reads `true` as well',
      [
        'host/mcp/tolerance.test.ts',
        'connects the SDK to a server whose policy is true, and logs what was read',
      ],
      'MCP requires an object, and official clients refuse anything else',
    ),
    same('`_meta.policy` restricts one call', 'it does, for every tool', [
      CLIENT,
      '%j restricts one call: %s',
    ]),
    same(
      'An attempt to widen is a JSON-RPC error before anything runs',
      '-32602, with the messages of the file server',
      [CLIENT, '%j is an error before anything runs'],
    ),
    same('A policy cannot name another root', '`policy root not found`', [
      CLIENT,
      'cannot name another root',
    ]),
    same(
      'A policy can narrow a root to a folder in it',
      'it does, as the page says; the programs accept exact roots only',
      [VECTORS, '$id $title'],
    ),
    other(
      'A policy restricts roots',
      'also limits, levels of approval and writing',
      ['worker/access/requester.test.ts', 'lets a model restrict paths, levels and writing'],
      'A limit or a level that is stricter for one call widens nothing',
    ),
    other(
      'The agent says whether a person or a model asked for a policy',
      '`_meta["dev.edgewise/requester"]`, which the server enforces',
      [
        'worker/access/requester.test.ts',
        '%s refuses a field for a person in the policy of a model',
      ],
      'The proposals have no name for it',
    ),
    other(
      'Nested roots: the deepest one decides alone',
      'the lists of every entry above a path apply',
      [HOLES, 'is not reachable through the enclosing root'],
      'A blocked root would be open through the one around it',
    ),
    other(
      'Results are filtered after their limit',
      'before it, so that no count includes what is hidden',
      [
        HOLES,
        'a limit counts the visible results only, and the response does not reveal hidden ones',
      ],
      'A count would reveal what the policy hides',
    ),
    same(
      'Scopes are hierarchical, under few actions',
      '`read:file:/docs` covers what is below the folder; `read:*` is `read`',
      [VECTORS, '%s grants'],
    ),
    same(
      'A call outside the roots fails with `requested_scopes`, and succeeds with `granted_scopes`',
      'all that is missing is named at once',
      [CLIENT, 'names all missing scopes at once, and the same call with the grant succeeds'],
    ),
    same('`allowed_scopes` and `denied_scopes` of the second generation', 'both are understood', [
      CLIENT,
      'is opened by %s, for one call',
    ]),
    other(
      'A grant lifts the lists of a root',
      'no grant lifts a denial',
      [HOLES, 'a grant does not override a deny glob of a root'],
      'What the owner denies is not for the host to open',
    ),
    same('A policy switches off grants and requests for scopes', 'it does', [
      CLIENT,
      'is not asked for under a policy, and a denied scope is not granted',
    ]),
    same('The most specific rule decides a call, and a tie denies', 'in the console', [
      DECIDE,
      'denies if two rules are equally specific',
    ]),
    same('The prompt offers each prefix of a scope', 'from wide to narrow', [
      'host/consent/stored-decisions.test.ts',
      'offers choices from wide to narrow',
    ]),
    same(
      'The approval card runs the call as a preview, and then the call',
      'and the call applies exactly what was shown, or nothing',
      [CONSENT, 'previews, asks, and applies exactly what was shown'],
    ),
    other(
      'Permissions live in the host, and never in the server',
      'the console asks, and the server holds changes for its owner as well',
      [
        'worker/drafts/drafts.test.ts',
        'is applied by an approval, with its session and the approver, and undone as a whole',
      ],
      'A remote server meets hosts that ask nothing',
    ),
    same('Side effects for people stay out of the sight of the model', 'they are in `_meta`', [
      'worker/mcp/results.test.ts',
      'has links and hunks for a client that shows apps, and in previews for all clients',
    ]),
  ],
}
