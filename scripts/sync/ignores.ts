/**
 * Which files are left out of a sync, on both sides: what is never kept in step, what `.edgewiseignore` says, what is left
 * out by default (secrets and dependencies), and what `.gitignore` files say, as git reads them.
 *
 * A workspace cannot widen what is sent: `.edgewiseignore` is read from the disk and never received, no `.gitignore`
 * overrules the defaults, and where the workspace has changed a `.gitignore`, the text before it counts as well until the
 * person changes it or accepts it. Tested by `test/sync-ignores.test.ts`.
 *
 * @module
 */

import ignore, { type Ignore } from 'ignore'
import { foldersOf, whyReserved } from './names.ts'

/** Why a file is left out. */
export type Reason = 'reserved' | 'secret' | 'dependencies' | 'gitignore' | 'edgewiseignore'

/** Private keys, credentials and files of variables. */
const SECRETS = [
  '.env',
  '.env.*',
  '.envrc',
  '.dev.vars',
  '.dev.vars.*',
  '!.env.example',
  '!.env.sample',
  '!.env.template',
  '!.dev.vars.example',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  '*.jks',
  '*.keystore',
  '*.kdbx',
  'id_rsa*',
  'id_dsa*',
  'id_ecdsa*',
  'id_ed25519*',
  '.ssh/',
  '.gnupg/',
  '.aws/',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.htpasswd',
]

/** Folders that a package manager fills again. */
const DEPENDENCIES = ['node_modules/']

/** The name of git's files of rules. */
export const GIT_RULES = '.gitignore'

export interface IgnoreOptions {
  /** Whether secrets are kept in step as well. */
  readonly secrets: boolean
}

/** Rules of one folder and those above it. */
interface Level {
  readonly folder: string
  readonly rules: Ignore
}

/** Rules of all files of a tree. Folders are read from the top, so that those above a folder are known before it. */
export class Ignores {
  readonly #own: Ignore
  readonly #secrets: Ignore
  readonly #dependencies = read(DEPENDENCIES.join('\n'), true)
  readonly #levels = new Map<string, Level>()
  /** Levels by texts that the workspace has replaced. */
  readonly #former = new Map<string, Level>()
  readonly #folders = new Map<string, Reason | null>()
  /** Folders that `.edgewiseignore` includes with everything below them but secrets. */
  readonly #included = new Set<string>()
  /** What is left out by former rules alone. */
  readonly held = new Set<string>()

  /** @param own The text of `.edgewiseignore`. */
  constructor(own: string, { secrets }: IgnoreOptions) {
    this.#own = read(own, isFolding)
    this.#secrets = read(secrets ? '' : SECRETS.join('\n'), true)
  }

  /** Adds the text of the `.gitignore` in a folder; the top is the empty name. */
  addGitRules(folder: string, text: string): void {
    this.#levels.set(folder, { folder, rules: read(text, isFolding) })
  }

  /** Adds a text that counts beside the one which the workspace has put in its place. */
  addFormerRules(name: string, text: string): void {
    const folder = name === GIT_RULES ? '' : name.slice(0, -GIT_RULES.length - 1)
    this.#former.set(folder, { folder, rules: read(text, isFolding) })
  }

  /** Whether a `.gitignore` applies in a folder. */
  hasGitRules(folder: string): boolean {
    return ['', ...foldersOf(`${folder}/`)].some((one) => this.#levels.has(one))
  }

  /** Why a folder is left out with everything below it; null if it is not. */
  whyFolder(name: string): Reason | null {
    const before = this.#folders.get(name)
    if (before !== undefined) return before
    const reason = this.#why(name, true)
    this.#folders.set(name, reason)
    return reason
  }

  /** Why a file is left out; null if it is not. */
  whyFile(name: string): Reason | null {
    return this.#why(name, false)
  }

  #why(name: string, isFolder: boolean): Reason | null {
    const parent = foldersOf(name).at(-1)
    // A file cannot be included again if a folder above it is left out, as in git.
    const above = parent === undefined ? null : this.whyFolder(parent)
    if (above) return above
    if (whyReserved(name) !== null) return 'reserved'
    const asked = isFolder ? `${name}/` : name
    const own = this.#own.test(asked)
    if (own.ignored) return 'edgewiseignore'
    if (own.unignored && isFolder) this.#included.add(name)
    if (own.unignored) return null
    const isIncluded = parent !== undefined && this.#included.has(parent)
    if (isIncluded && isFolder) this.#included.add(name)
    const segment = asked.slice(parent === undefined ? 0 : parent.length + 1)
    if (this.#secrets.ignores(segment)) return 'secret'
    if (isIncluded) return null
    if (this.#dependencies.ignores(segment)) return 'dependencies'
    return this.#isLeftOutOfGit(asked) ? 'gitignore' : null
  }

  #isLeftOutOfGit(asked: string): boolean {
    if (judge(this.#levels, asked)) return true
    if (this.#former.size === 0) return false
    const isHeld = judge(new Map([...this.#levels, ...this.#former]), asked)
    if (isHeld) this.held.add(asked)
    return isHeld
  }
}

/** The deepest file with a rule for the name decides. */
function judge(levels: ReadonlyMap<string, Level>, asked: string): boolean {
  const folders = ['', ...foldersOf(asked.replace(/\/$/, ''))].reverse()
  for (const folder of folders) {
    const level = levels.get(folder)
    if (!level) continue
    const { ignored, unignored } = level.rules.test(
      folder === '' ? asked : asked.slice(folder.length + 1),
    )
    if (ignored || unignored) return ignored
  }
  return false
}

/** Whether the disks of this system usually ignore case, where git does too. */
const isFolding = process.platform === 'darwin' || process.platform === 'win32'

const read = (text: string, ignorecase: boolean) =>
  ignore({ ignorecase, allowRelativePaths: false }).add(text)

/** Whether a file has rules that a workspace can change. */
export const isGitRules = (name: string) => name === GIT_RULES || name.endsWith(`/${GIT_RULES}`)
