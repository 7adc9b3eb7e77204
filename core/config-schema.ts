/**
 * The configuration schema: which fields may be set, where, and by whom, as plain data.
 *
 * It is JSON Schema draft-07, because form generators accept it and the mcp4h proposals use it; every
 * keyword in it means the same in 2020-12. `scope` says where a field may be set and `audience` by whom.
 * `policy/read.ts` enforces both, and `filterSchema` uses both to leave fields out of a form.
 *
 * @module
 */

import { DEFAULT_CONFIG, type Config } from './config.ts'
import { MAX_GLOB_LENGTH } from './glob.ts'
import { MAX_PATH_BYTES } from './path.ts'
import { APPROVALS, MAX_LIST, MAX_ROOTS } from './policy/fields.ts'
import type { Json, JsonObject } from './policy/form.ts'

export { filterSchema, type Json } from './policy/form.ts'

/** Where a field may be set, and by whom. */
export interface Marks {
  readonly scope: 'configuration' | 'policy' | 'any'
  readonly audience: 'human' | 'llm' | 'any'
}

/** The schema of one configuration field, with its marks. */
export type Field = JsonObject & Marks

const ANYWHERE = { scope: 'any', audience: 'any' } as const
const CONFIGURED = { scope: 'configuration', audience: 'any' } as const
const LIMIT = { scope: 'any', audience: 'human' } as const

const PROPERTIES: Readonly<Record<keyof Config, Field>> = {
  roots: {
    type: 'array',
    title: 'Folders',
    description: 'The folders that may be used. Nothing outside them exists for a tool.',
    minItems: 1,
    maxItems: MAX_ROOTS,
    default: DEFAULT_CONFIG.roots.map(({ path }) => ({ path })),
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: {
          type: 'string',
          title: 'Path',
          description: 'The folder, such as /notes. In a policy, a root or a folder below one.',
          minLength: 1,
          maxLength: MAX_PATH_BYTES,
          ...ANYWHERE,
        },
        default: {
          type: 'boolean',
          title: 'Default',
          description: 'Relative paths count from here. Otherwise they count from the first root.',
          default: false,
          ...CONFIGURED,
        },
        allow: globs('Allow', 'Only what matches one of these may be used; empty: everything.'),
        deny: globs('Deny', 'What matches one of these may not be used, whatever else matches.'),
        immutable: globs('Immutable', 'What matches one of these may be read and not changed.'),
        blocked: {
          type: 'boolean',
          title: 'Blocked',
          description: 'Takes the folder and everything below it away for one call.',
          default: false,
          scope: 'policy',
          audience: 'any',
        },
      },
    },
    ...ANYWHERE,
  },
  allow_escape: {
    type: 'boolean',
    title: 'Allow paths outside the folders',
    description: 'Whether paths outside all folders may be used as well.',
    default: DEFAULT_CONFIG.allow_escape,
    ...CONFIGURED,
  },
  read_only: {
    type: 'boolean',
    title: 'Read-only',
    description: 'Tools may read and change nothing. A policy can only turn it on.',
    default: DEFAULT_CONFIG.read_only,
    ...ANYWHERE,
  },
  find_limit: {
    title: 'Results of find_files',
    ...count('find_limit', 'Entries that find_files answers.', LIMIT),
  },
  search_max_bytes: {
    title: 'Output of search_files',
    ...count('search_max_bytes', 'Bytes; above it context goes first, then lines.', LIMIT),
  },
  search_summary_top: {
    title: 'Files in a search summary',
    ...count('search_summary_top', 'Files that a summary of search_files still names.', LIMIT),
  },
  read_max_bytes: {
    title: 'Output of read_file',
    ...count('read_max_bytes', 'Bytes of one answer.', LIMIT),
  },
  read_max_line_bytes: {
    title: 'Length of a line',
    ...count('read_max_line_bytes', 'Bytes of one line in any output.', LIMIT),
  },
  preview_cache_size: {
    title: 'Previews kept',
    ...count('preview_cache_size', 'The one not read for longest goes first.', CONFIGURED),
  },
  preview_ttl_seconds: {
    title: 'Lifetime of a preview',
    ...count('preview_ttl_seconds', 'Seconds for which a preview is kept.', CONFIGURED),
  },
  history_versions: {
    title: 'Versions kept',
    ...count('history_versions', 'Versions of each file that can be restored.', CONFIGURED),
  },
  approval: {
    type: 'string',
    title: 'Approval',
    description:
      'The approval level for changes. A policy can only raise it. The server saves the level and does not hold changes yet.',
    enum: APPROVALS,
    default: DEFAULT_CONFIG.approval,
    ...ANYWHERE,
  },
  max_file_bytes: {
    title: 'Size of a file',
    ...count('max_file_bytes', 'Bytes of one file.', CONFIGURED),
  },
  max_workspace_bytes: {
    title: 'Size of the workspace',
    ...count('max_workspace_bytes', 'Bytes of all files, without their history.', CONFIGURED),
  },
}

/** The schema of a whole configuration. Unknown fields are not allowed. */
export const CONFIG_SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Edgewise configuration',
  description: 'What tools may use in this workspace, and how much of it they answer.',
  type: 'object',
  additionalProperties: false,
  properties: PROPERTIES,
} as const satisfies Json

// Building

function globs(title: string, description: string): Field {
  return {
    type: 'array',
    title,
    description: `${description} Patterns count from the path, as in src/**/*.ts.`,
    maxItems: MAX_LIST,
    items: { type: 'string', minLength: 1, maxLength: MAX_GLOB_LENGTH },
    default: [],
    ...ANYWHERE,
  }
}

type Count = { [K in keyof Config]: Config[K] extends number ? K : never }[keyof Config]

function count(field: Count, description: string, marks: Marks): Field {
  return {
    type: 'integer',
    description: `${description} 0 means no limit.`,
    minimum: 0,
    default: DEFAULT_CONFIG[field],
    ...marks,
  }
}
