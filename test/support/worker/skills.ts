/** Skills of a workspace, and the owner's decisions on them. @module */

import { recordOf } from '#core/json.ts'
import type { SkillPage } from '#core/owner/answers/skills.ts'
import type { freshWorkspace } from './client.ts'
import { sendDecision } from './requests.ts'

type Workspace = ReturnType<typeof freshWorkspace>
type Client = Pick<Workspace, 'send'>

/** The entry of a skill, as `skills/list` and `skills/get` have it. */
export interface SkillEntry {
  readonly uri: string
  readonly frontmatter: Readonly<Record<string, unknown>>
  readonly resources: readonly {
    readonly uri: string
    readonly digest: string
    readonly size: number
  }[]
}

/** Returns the text of a `SKILL.md`. */
export const skillText = (name: string, body = '# Steps\n', fields = '') =>
  `---\nname: ${name}\ndescription: How to do ${name}\n${fields}---\n\n${body}`

/** Writes the files of a skill; without any, its `SKILL.md`. */
export async function writeSkill(
  { put }: Pick<Workspace, 'put'>,
  name: string,
  files: Readonly<Record<string, string | Uint8Array>> = { 'SKILL.md': skillText(name) },
): Promise<void> {
  for (const [file, content] of Object.entries(files))
    await put(`/.skills/${name}/${file}`, content)
}

/** Shows a skill to the owner. */
export async function showSkill({ fetch }: Workspace, name: string): Promise<SkillPage> {
  const shown = await fetch(`/skills/${name}`)
  if (shown.status !== 200) throw new Error(await shown.text())
  return shown.json()
}

/** Decides on a skill from a page of this origin, or as `headers` say. */
export const decideSkill = (
  workspace: Workspace,
  path: string,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
) => sendDecision(workspace, `/skills/${path}`, body, headers)

/** Approves a skill as it is now. */
export async function approveSkill(workspace: Workspace, name: string): Promise<void> {
  const { revision, files } = await showSkill(workspace, name)
  const unseen = files.filter((file) => file.unseen).map(({ path }) => path)
  const { status, body } = await decideSkill(workspace, `${name}/approve`, {
    revision,
    ...(unseen.length > 0 && { unseen }),
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

/** Lists one page of the skills that a client has. */
export async function listSkills(
  { send }: Client,
  params: Record<string, unknown> = {},
): Promise<{ skills: readonly SkillEntry[]; nextCursor?: string }> {
  const { result, error } = await send('skills/list', params)
  if (error) throw new Error(error.message)
  return result as unknown as { skills: readonly SkillEntry[] } // what the tests check
}

/** The names of the skills that a client has, by each way to learn of them. */
export async function namesOfSkills(client: Client): Promise<Record<string, readonly string[]>> {
  const { skills } = await listSkills(client)
  const [prompts, resources] = await Promise.all([
    listOf(client, 'prompts/list', 'prompts'),
    listOf(client, 'resources/list', 'resources'),
  ])
  return {
    skills: skills.map(({ uri }) => uri),
    prompts: prompts.map(({ name }) => `skill://${name}/SKILL.md`),
    resources: resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('skill:')),
  }
}

async function listOf({ send }: Client, method: string, member: string) {
  const { result } = await send(method)
  return recordOf(result)[member] as readonly { name: string; uri: string }[]
}

/** Reads a resource; null if there is none for this client. */
export async function readResource(
  { send }: Client,
  uri: string,
): Promise<{ uri: string; mimeType: string; text?: string; blob?: string } | null> {
  const { result } = await send('resources/read', { uri })
  const contents: unknown = recordOf(result)['contents']
  return Array.isArray(contents) ? contents[0] : null
}
