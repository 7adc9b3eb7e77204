/**
 * Describes a configuration in sentences: what agents may do.
 *
 * The overview and the rules form show the same sentences, so the effect of a field is visible
 * where it is changed. `#core/config/fields.ts` names the group of sentences of each field. `test/host/console/sentences.test.ts` has the cases.
 *
 * @module
 */

import { PASSKEY_RULES, type PasskeyRule } from '#core/config/values.ts'
import { APPROVAL_LEVELS, type ApprovalLevel } from '#core/approval.ts'
import type { SentenceKey } from '#core/config/field.ts'
import { joinPieces as joined } from '#core/join-words.ts'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { resolvePath } from '#core/path.ts'
import { tidyApprovals } from '#core/policy/approvals.ts'
import { textsOf } from '../../mcp/parse.ts'
import type { ShownSession } from '#core/owner/answers/sessions.ts'
import {
  formatLimit as bytes,
  formatCount as numbered,
  formatNumber as number,
  formatSeconds as seconds,
} from '../ui/format.ts'
import { textIn } from '../ui/storage.ts'

/** A piece of a sentence; code is rendered as code. */
export type Piece = string | { readonly code: string }

/** Whether a sentence permits, restricts or informs. */
export type Tone = 'may' | 'not' | 'plain'

/** A sentence about the configuration. */
export interface Sentence {
  readonly tone: Tone
  readonly pieces: readonly Piece[]
  /** The configuration field that it describes. */
  readonly field: string
}

type Config = JsonRecord

/** Describes a configuration. */
export function sentencesOf(config: Config): Sentence[] {
  return Object.values(SENTENCES).flatMap((describe) => describe(config))
}

/** The sentences of each group of fields, in the order in which they are shown. */
const SENTENCES: Readonly<Record<SentenceKey, (config: Config) => Sentence[]>> = {
  access: rootSentences,
  approval: approvalSentences,
  sizes: sizeSentences,
  history: historySentences,
  previews: previewSentences,
  output: outputSentences,
}

/** Splits the sentences into permissions and restrictions, and mere limits. */
export function firstAndRest(list: readonly Sentence[]): [Sentence[], Sentence[]] {
  const isFirst = ({ field }: Sentence) => FIRST.has(field)
  return [list.filter(isFirst), list.filter((sentence) => !isFirst(sentence))]
}

const FIRST = new Set(['roots', 'allow_escape', 'read_only', 'approval', 'import_hosts'])

const say = (field: string, tone: Tone, ...pieces: Piece[]): Sentence => ({ field, tone, pieces })

interface Root {
  readonly path: string
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  readonly immutable: readonly string[]
  /** Whether leases in it are binding. */
  readonly isBinding: boolean
}

/** Reads the roots of a configuration or a policy; empty if there are none. */
function rootsOf(config: Config): Root[] {
  const list = config['roots']
  if (!Array.isArray(list)) return []
  return list.map((root: unknown) => ({
    path: textIn(root, 'path') ?? '/',
    allow: textsIn(root, 'allow'),
    deny: textsIn(root, 'deny'),
    immutable: textsIn(root, 'immutable'),
    isBinding: recordOf(root)['binding_leases'] === true,
  }))
}

function rootSentences(config: Config): Sentence[] {
  const roots = rootsOf(config)
  const escapes = config['allow_escape'] === true
  const readOnly = config['read_only'] === true
  return [
    whereSentence(roots, readOnly ? 'Read' : 'Read and change'),
    ...(readOnly ? [say('read_only', 'not', 'Nothing may be changed.')] : []),
    ...outsideSentence(roots, escapes),
    ...roots.flatMap(listSentences),
    ...roots.filter(({ isBinding }) => isBinding).map(bindingSentence),
    ...importSentence(textsIn(config, 'import_hosts')),
  ]
}

function importSentence(hosts: readonly string[]): Sentence[] {
  if (hosts.length === 0) return []
  return [say('import_hosts', 'may', 'Import files of the hosts ', ...codes(hosts), '.')]
}

function whereSentence(roots: readonly Root[], may: string): Sentence {
  const whole = roots.some(({ path }) => path === '/')
  if (whole) return say('roots', 'may', `${may} files anywhere in this workspace.`)
  const paths = codes(roots.map(({ path }) => path))
  return say('roots', 'may', `${may} files in `, ...paths, '.')
}

function outsideSentence(roots: readonly Root[], escapes: boolean): Sentence[] {
  if (roots.some(({ path }) => path === '/')) return []
  return escapes
    ? [say('allow_escape', 'may', 'Use paths outside of these folders too, without asking.')]
    : [say('roots', 'not', 'Everything else is out of reach.')]
}

/** The effect of each pattern list of a root on what matches it. */
const LISTS = [
  ['allow', 'Only what', 'may be used'],
  ['deny', 'What', 'is hidden and may not be used'],
  ['immutable', 'What', 'may be read, and not changed'],
] as const

function listSentences(root: Root): Sentence[] {
  return LISTS.filter(([list]) => root[list].length > 0).map(([list, what, becomes]) =>
    say(
      'roots',
      'not',
      ...inside(root, what),
      ' matches ',
      ...codes(root[list], 'or'),
      ` ${becomes}.`,
    ),
  )
}

const bindingSentence = (root: Root): Sentence =>
  say(
    'roots',
    'not',
    ...inside(root, 'What'),
    ' one agent has leased may not be changed by others.',
  )

/** Starts a sentence about what is in a root. */
const inside = ({ path }: Root, what: string): Piece[] =>
  path === '/' ? [what] : ['In ', { code: path }, `, ${what.toLowerCase()}`]

/** Says when changes are applied, for the workspace and for each folder that raises the level. */
function approvalSentences(config: Config): Sentence[] {
  const overall = readLevel(config)
  const raised = raisedFolders(config, overall)
  const elsewhere =
    raised.length === 0
      ? APPLIED[overall]
      : `Except in the folders below, ${APPLIED[overall].toLowerCase()}`
  return [
    say('approval', 'plain', elsewhere),
    ...raised.map(({ folder, level }) =>
      say('roots', 'plain', 'In ', { code: folder }, `, ${APPLIED[level].toLowerCase()}`),
    ),
    waitSentence(config),
    say('passkey', 'plain', PASSKEYS[readRule(config)]),
  ]
}

/** What approving needs under each rule. */
const PASSKEYS: Readonly<Record<PasskeyRule, string>> = {
  none: 'Approving never needs a passkey.',
  confirm: 'Once you have a passkey, a change at the level confirm needs it.',
  all: 'Once you have a passkey, every approval needs it.',
}

const readRule = (config: Config): PasskeyRule =>
  PASSKEY_RULES.find((rule) => rule === textIn(config, 'passkey')) ?? 'confirm'

const WAIT = 'Changes wait until you approve them.'

/** What a change does at each level. */
const APPLIED: Readonly<Record<ApprovalLevel, string>> = {
  none: 'Changes are applied at once.',
  notify: 'Changes are applied at once, and you are notified.',
  review: WAIT,
  confirm: WAIT,
}

/** Returns the folders whose level is stricter than that of the workspace and of the folders around them. */
function raisedFolders(config: Config, overall: ApprovalLevel) {
  const list = Array.isArray(config['roots']) ? config['roots'] : []
  const entries = list.flatMap((root: unknown) => {
    // A form may hold a path that is not valid yet.
    const path = resolvePath(textIn(root, 'path') ?? '')
    return path.ok ? [{ folder: path.value, level: readLevel(root) }] : []
  })
  return tidyApprovals(entries, overall)
}

function readLevel(value: unknown): ApprovalLevel {
  return APPROVAL_LEVELS.find((level) => level === textIn(value, 'approval')) ?? 'none'
}

function waitSentence(config: Config): Sentence {
  const time = count(config, 'draft_ttl_seconds')
  const most = time === 0 ? '' : `, for at most ${seconds(time)}`
  return say('draft_ttl_seconds', 'plain', `A change can wait for approval${most}.`)
}

function sizeSentences(config: Config): Sentence[] {
  const file = count(config, 'max_file_bytes')
  const all = count(config, 'max_workspace_bytes')
  const ofFile = file === 0 ? 'A file may have any size.' : `A file may have up to ${bytes(file)}.`
  const ofAll =
    all === 0
      ? 'The workspace may grow without a limit.'
      : `All files together may have up to ${bytes(all)}.`
  return [say('max_file_bytes', 'plain', ofFile), say('max_workspace_bytes', 'plain', ofAll)]
}

function historySentences(config: Config): Sentence[] {
  const versions = count(config, 'history_versions')
  const kept =
    versions === 0
      ? 'Every version of each file'
      : `The last ${numbered(versions, 'version')} of each file`
  return [say('history_versions', 'plain', `${kept} can be brought back.`)]
}

function previewSentences(config: Config): Sentence[] {
  const time = count(config, 'preview_ttl_seconds')
  const previews = count(config, 'preview_cache_size')
  const lasts = time === 0 ? 'for any time' : `for ${seconds(time)}`
  const most = previews === 0 ? '' : `, ${number(previews)} at a time`
  return [say('preview_ttl_seconds', 'plain', `A preview can be applied ${lasts}${most}.`)]
}

function outputSentences(config: Config): Sentence[] {
  const amount = (field: string, shown: (value: number) => string) => {
    const value = count(config, field)
    return value === 0 ? 'any number of' : shown(value)
  }
  const upTo = (value: number) => `up to ${bytes(value)} of`
  const [read, matched] = [amount('read_max_bytes', upTo), amount('search_max_bytes', upTo)]
  const found = amount('find_limit', number)
  const text = `One answer carries ${read} a file, ${matched} matches, and ${found} names.`
  return [say('read_max_bytes', 'plain', text)]
}

const count = (config: Config, field: string) => {
  const value = config[field]
  return typeof value === 'number' ? value : 0
}

function codes(texts: readonly string[], word?: string): Piece[] {
  return joined(
    texts.map((code) => [{ code }]),
    word,
  )
}

const textsIn = (value: unknown, key: string) => textsOf(recordOf(value)[key])

/** Access of a session that exists or is being created. */
interface SessionAccess {
  readonly scopes: readonly string[] | null
  readonly policy: unknown
  readonly parent?: string | null
  /** The file of a transfer link, and how often it was used. */
  readonly transfer?: ShownSession['transfer']
  readonly uses?: number | undefined
}

/**
 * Describes in a sentence what a session may do.
 *
 * @param may The start of the sentence, such as "May" or "Docs agent may".
 */
export function sessionSentence(session: SessionAccess, may = 'May'): Piece[] {
  const { policy, parent = null, transfer, uses = 0 } = session
  if (transfer) return transferSentence({ ...transfer, uses }, may)
  const readOnly = recordOf(policy)['read_only'] === true
  const scopes = session.scopes?.filter((scope) => !readOnly || !scope.startsWith('write')) ?? []
  if (scopes.length === 0 && session.scopes?.length) return [`${may} do nothing.`]
  const all = parent === null ? 'that the rules allow' : 'that the session above it may'
  const pieces: Piece[] =
    scopes.length === 0 ? [`${may} do everything ${all}`] : [`${may} `, ...scopeWords(scopes)]
  const roots = isRecord(policy) ? rootsOf(policy) : []
  if (roots.length > 0) pieces.push(', within ', ...codes(roots.map(({ path }) => path)))
  if (readOnly) pieces.push(', but change nothing')
  return [...pieces, '.']
}

/** Describes a transfer link, which gives access to nothing else. */
function transferSentence(
  { path, direction, uses }: NonNullable<ShownSession['transfer']> & { readonly uses: number },
  may: string,
): Piece[] {
  const used = uses === 0 ? 'Not used yet.' : `Used ${numbered(uses, 'time')}.`
  return [`${may} ${direction} `, { code: path }, `, and nothing else. ${used}`]
}

const ACTIONS: Readonly<Record<string, string>> = { read: 'read', write: 'change', execute: 'run' }

const scopeWords = (scopes: readonly string[]) => joined(scopes.map(scopeInWords))

function scopeInWords(scope: string): Piece[] {
  const [action = '', kind, ...rest] = scope.split(':')
  const verb = ACTIONS[action]
  const path = rest.join(':')
  if (verb === undefined || (kind !== undefined && kind !== 'file' && kind !== '*'))
    return ['use ', { code: scope }]
  return path === '' || path === '*' ? [`${verb} every file`] : [`${verb} `, { code: path }]
}
