/** Rows of `docs/proposals.md`: the file server of mcp4h, its handshake and its tools. @module */

import { other, same, type Proposal } from './row.ts'

const CLIENT = 'worker/mcp/mcp-fs.test.ts'

/** The handshake and the tools. */
export const FILES: Proposal = {
  title: 'mcp4h: the file server (mcp-fs)',
  source: 'The page of the proposals, and the file servers of both generations, as of June 2026.',
  rows: [
    same(
      'The handshake publishes a JSON Schema of the configuration',
      '`configSchema`, at the top and among the capabilities, because programs read either',
      [
        CLIENT,
        'publishes the schema of the configuration in both places, and that policies are supported',
      ],
    ),
    same(
      'A host builds a form from the schema',
      'the console does so for every server that has one',
      [
        'pages/console/configuration.test.ts',
        'sends what the form holds in the handshake, and nothing before',
      ],
    ),
    same(
      'The client sends a configuration in the handshake',
      '`capabilities.experimental.configuration`; in 2026-07-28 with every request',
      [CLIENT, 'takes the configuration of the client'],
    ),
    other(
      'The configuration of the client wins over that of the operator',
      'it can only narrow the rules of the owner',
      ['worker/access/client-config.test.ts', 'is refused if %s asks for more: %j'],
      'The server is shared and has an owner: a client that could widen the rules would make them void',
    ),
    same(
      'Flags and variables of the program, over its configuration',
      '`--read-only` and `EDGEWISE_READ_ONLY`, for every field; flags restrict',
      [
        'worker/access/levels.test.ts',
        'defaults, EDGEWISE_CONFIG, EDGEWISE_{FIELD} and the console override in this order, and flags restrict',
      ],
    ),
    same('`--help` and `--print-config-schema`', 'from the one table of fields', [
      'flags.test.ts',
      '--help names every flag, and --print-config-schema prints what the server publishes',
    ]),
    same(
      'An invalid configuration fails the handshake with -32602',
      'the message names the field',
      [CLIENT, 'refuses the configuration %j by the name of its field'],
    ),
    same('Each field has `scope` and `audience`', 'both are in the schema', [
      'core/config.test.ts',
      'has every field with its default, title, description and both annotations',
    ]),
    other(
      '`scope` and `audience` inform forms',
      'they shape forms, and the server enforces them',
      ['core/config.test.ts', 'is enforced: a policy may set only the fields of its form'],
      'A mark that nothing checks has no effect',
    ),
    other(
      'Replies of the first generation are no strict JSON-RPC, and their `_meta` is beside `result`',
      'replies are strict, with `_meta` in the result; the console reads requested scopes in all places',
      ['host/consent/consent.test.ts', 'reads requested scopes %s'],
      'Official clients refuse the other forms',
    ),
    same(
      'Nine tools with scopes, a group, a priority and `preview`',
      'in `annotations`, and again in `_meta`, because official clients drop annotations that they do not know',
      [CLIENT, 'say their scopes, their group, their priority and that they have previews'],
    ),
    same(
      'The arguments and the data of the nine tools',
      'as in the first generation, with a version beside them',
      [CLIENT, '%s %j answers as data'],
    ),
    same('`append` and `prepend` put exactly one line break between', 'they do', [
      CLIENT,
      'write_file puts one line break between: %s to %j',
    ]),
    other(
      'Error codes',
      'one code for each cause, in `_meta["dev.edgewise/error"]`',
      [CLIENT, '%s %j has the code %s'],
      'Clients that validate structured content against the output schema would lose an error in it',
    ),
    other(
      'Lists of paths for `delete_file`, and ranges for each of `read_multiple_files`, in the second generation',
      'one path, and plain paths, as in the first',
      [CLIENT, '%s %j answers as data'],
      'The clients of the first generation work unchanged; a folder is deleted by its path',
    ),
    other(
      'Tools of their own that read bytes',
      '`encoding: "base64"` and `offset` of `read_file`',
      ['worker/tools/binary.test.ts', 'reads %s, part by part'],
      'A tool more costs each conversation its description',
    ),
    other(
      'Fields for tracing (`otel_*`)',
      'each call is logged with the trace of its `traceparent`',
      [
        'worker/observe/observe.test.ts',
        'has an id that the caller and the object get, whatever id the client sent',
      ],
      'Where logs go is set at Cloudflare, and not by a client',
    ),
  ],
}
