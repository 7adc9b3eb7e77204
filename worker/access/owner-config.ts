/**
 * The owner's configuration: what is stored in the workspace, on top of the deployed one, restricted by the flags.
 *
 * The hosts of an import are those of the deployment at most, whose `tools/list` the front Worker answers: a stored list can
 * only leave some out. A stored one that this release cannot read, such as one with a field of a later release, must not fall back to the
 * wider deployed one. Until another is stored, agents have no access, and nothing that waits for the owner ends.
 * `test/worker/api/unreadable-rules.test.ts` has the cases.
 *
 * @module
 */

import {
  readConfig,
  restrictConfig,
  type Config,
  type ConfigProblems,
  type Flags,
} from '#core/config.ts'
import { fail } from '#core/config/problem.ts'
import { isRecord, recordOf } from '#core/json.ts'
import { ROOT } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { withNewRoots, type NewRoot } from './allow-by-rule.ts'
import { readSetting, writeSetting } from '../database/schema.ts'

/** The configuration of one workspace. */
export type OwnerConfig = ReturnType<typeof createOwnerConfig>

/** Where it is stored, what it is on top of, and who is informed of a change. */
export interface OwnerConfigParts {
  readonly sql: SqlStorage
  readonly deployed: Config
  /** What restricts it, whatever is stored. */
  readonly flags?: Flags
  /** Called with the configuration before. */
  readonly changed: (before: Config) => void
}

/** Opens the configuration of a workspace, which is stored as JSON, or not at all. */
export function createOwnerConfig(
  { sql, deployed, flags = {}, changed }: OwnerConfigParts,
  stored = readSetting(sql, 'config'),
) {
  const inForce = (config: Config) =>
    restrictConfig(restrictConfig(config, { import_hosts: deployed.import_hosts }), flags)
  const read = readStored(stored, deployed)
  let wanted = read.ok ? read.value : withoutAccess(deployed)
  let current = inForce(wanted)
  let problems = read.ok ? null : read.error
  const parse = (value: unknown) => parseWithin(value, deployed)
  /** Replaces it, if the value is valid. */
  function store(value: unknown): Result<Config, ConfigProblems> {
    const next = parse(value)
    if (!next.ok) return next
    writeSetting(sql, 'config', JSON.stringify(value))
    const before = current
    wanted = next.value
    current = inForce(wanted)
    problems = null
    changed(before)
    return next
  }
  return {
    /** What is in force. */
    get current() {
      return current
    },
    /** What would be in force without flags: what is stored, on top of what is deployed. */
    get wanted() {
      return wanted
    },
    flags,
    /** Why what is stored is not in force; null if it is. */
    get problems() {
      return problems
    },
    /** Parses a configuration as `store` does, and changes nothing. */
    parse,
    store,
    /** Adds entries to the rules, and keeps everything else as it is stored. Returns false if they are invalid. */
    addRoots: (added: readonly NewRoot[]): boolean => {
      const value: unknown = JSON.parse(readSetting(sql, 'config') ?? '{}')
      return store({ ...recordOf(value), roots: withNewRoots(current, added) }).ok
    },
  }
}

/** Parses a configuration on top of the deployed one, whose hosts are all that it may name. */
function parseWithin(value: unknown, deployed: Config): Result<Config, ConfigProblems> {
  const read = readConfig(value, deployed)
  if (!read.ok) return read
  const other = read.value.import_hosts.find((host) => !deployed.import_hosts.includes(host))
  if (other === undefined) return read
  const message = `import_hosts may only hold hosts of the deployment (EDGEWISE_IMPORT_HOSTS), and ${other} is none`
  return err([fail('NOT_ALLOWED', '/import_hosts', message).error])
}

function readStored(text: string | null, deployed: Config): Result<Config, ConfigProblems> {
  return text === null ? ok(deployed) : readConfig(withoutBlocked(JSON.parse(text)), deployed)
}

/**
 * Earlier releases accepted `blocked` in a root and ignored it. It is removed, so that the rules beside it
 * stay in force.
 */
function withoutBlocked(stored: unknown): unknown {
  if (!isRecord(stored) || !Array.isArray(stored['roots'])) return stored
  const roots = stored['roots'].map((root: unknown) =>
    isRecord(root) ? { ...root, blocked: undefined } : root,
  )
  return { ...stored, roots }
}

/** No file, no change, and the longest time for what waits; every decision of the owner needs a passkey, if there is one. */
const NO_ACCESS = {
  roots: [{ path: ROOT, deny: ['**'] }],
  read_only: true,
  passkey: 'all',
  draft_ttl_seconds: 0,
}

function withoutAccess(deployed: Config): Config {
  const closed = readConfig(NO_ACCESS, deployed)
  if (!closed.ok) throw new Error(closed.error[0].message)
  return closed.value
}
