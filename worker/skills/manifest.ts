/**
 * What a skill declares: its frontmatter, checked by the rules of the Agent Skills specification.
 *
 * A skill within the folder of another one is part of it, and its own frontmatter has no meaning.
 * `test/worker/skills/attacks.test.ts` has the table of problems.
 *
 * @module
 */

import { isRecord, isString, type JsonRecord } from '#core/json.ts'
import { parsePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { isSkillName } from '#core/skills/name.ts'
import { SKILL_FILE } from '#core/skills/uri.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { SealedFolder } from '../approved/folder.ts'
import type { ManifestProblem } from '../approved/kind.ts'
import { shortText } from '../errors/short.ts'
import { MAX_RESOURCE_BYTES } from '../limits.ts'
import { strictText } from '../texts/text.ts'
import type * as frontmatter from './frontmatter.ts'
import { MAX_SKILL_COMPATIBILITY, MAX_SKILL_DESCRIPTION, MAX_SKILL_FILE_BYTES } from './limits.ts'

/** What a skill declares. Only {@link readManifest} makes one. */
export interface SkillManifest {
  /** Every field of its frontmatter, as its author wrote it. */
  readonly frontmatter: SkillFrontmatter
}

/** The frontmatter of a skill, with the fields that every skill has. */
export interface SkillFrontmatter extends JsonRecord {
  readonly name: string
  readonly description: string
}

type Read<T> = Result<T, readonly ManifestProblem[]>

/** The reader of frontmatter, with its YAML parser: loaded when a skill is first reviewed. */
let reader: typeof frontmatter | null = null

/** Reads what a skill declares, and checks that each of its files can be read as a resource. */
export async function readManifest(
  store: ReadStore,
  folder: SealedFolder,
): Promise<Read<SkillManifest>> {
  const large = folder.files.find(({ size }) => size > MAX_RESOURCE_BYTES)
  if (large) return fail(`has a file of more than ${MAX_RESOURCE_BYTES} bytes: ${large.path}`)
  const text = await textOf(store, folder)
  if (text === null) return fail(`is not text in UTF-8 of at most ${MAX_SKILL_FILE_BYTES} bytes`)
  reader ??= await import('./frontmatter.ts')
  const read = reader.readFrontmatter(text)
  if (!read.ok) return err(read.error.map(shorten))
  const checked = checkFrontmatter(read.value, folder.name)
  return checked.ok ? ok({ frontmatter: checked.value }) : err(checked.error.map(shorten))
}

const fail = (message: string): Read<never> => err([{ pointer: '', message: shortText(message) }])

/** Both have texts of the author. */
const shorten = ({ pointer, message }: ManifestProblem): ManifestProblem => ({
  pointer: shortText(pointer),
  message: shortText(message),
})

async function textOf(store: ReadStore, { path }: SealedFolder): Promise<string | null> {
  const entry = store.stat(parsePath(`${path}/${SKILL_FILE}`))
  if (entry?.type !== 'file' || entry.size > MAX_SKILL_FILE_BYTES) return null
  return strictText(await store.bytes(entry))
}

/** Checks the fields that the specification defines; all others are the author's own. */
function checkFrontmatter(frontmatter: JsonRecord, folder: string): Read<SkillFrontmatter> {
  const { name, description, compatibility, metadata } = frontmatter
  const problems: ManifestProblem[] = []
  const check = (isRight: boolean, field: string, message: string) => {
    if (!isRight) problems.push({ pointer: `/${field}`, message })
  }
  check(isString(name) && isSkillName(name), 'name', BAD_NAME)
  check(name === folder, 'name', 'is not the name of its folder')
  check(isText(description, MAX_SKILL_DESCRIPTION), 'description', BAD_DESCRIPTION)
  check(
    compatibility === undefined || isText(compatibility, MAX_SKILL_COMPATIBILITY),
    'compatibility',
    `is not text of 1 to ${MAX_SKILL_COMPATIBILITY} characters`,
  )
  check(metadata === undefined || isTextMap(metadata), 'metadata', 'is not a map of texts')
  return problems.length === 0 && isString(name) && isString(description)
    ? ok({ ...frontmatter, name, description })
    : err(problems)
}

const BAD_NAME = 'is not 1 to 64 small letters, digits and single hyphens between them'
const BAD_DESCRIPTION = `is not text of 1 to ${MAX_SKILL_DESCRIPTION} characters`

/** Whether a value is text of 1 to some characters; a pair of surrogates is one. */
const isText = (value: unknown, most: number) =>
  isString(value) && value !== '' && value.length <= 2 * most && Array.from(value).length <= most

const isTextMap = (value: unknown) => isRecord(value) && Object.values(value).every(isString)
