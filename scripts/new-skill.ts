/**
 * `npm run new-skill -- <name>`: makes a skill, in a workspace or in a folder. `test/e2e/new-skill.test.ts` has the cases.
 *
 * @module
 */

import { isSkillName, MAX_SKILL_NAME } from '#core/skills/name.ts'
import { skillFilePath, starterText } from '#core/skills/starter.ts'
import { dirname } from 'node:path/posix'
import { runScript, UserError } from './errors.ts'
import { commandFor } from './invocation.ts'
import { existsError, openPlace } from './new-app/places.ts'
import { waitingPage } from './new-app/waiting-page.ts'
import { HELP, readArguments, type NewSkillJob } from './new-skill/arguments.ts'

/** Maximum length of a description (Agent Skills specification). */
const MAX_DESCRIPTION = 1_024

async function makeSkill({ name, description, to }: NewSkillJob): Promise<void> {
  refuseInvalid(name, description)
  const place = openPlace(to, 'skill')
  const path = skillFilePath(name)
  if (await place.has(dirname(path))) throw existsError(dirname(path), place.title)
  await place.create(path, starterText(name, description))
  console.log(`Made the skill ${name} in ${place.title}:`)
  console.log(`  ${'folder' in to ? path.slice(1) : path}`)
  console.log('folder' in to ? nextSteps(place.title) : `Approve it: ${waitingPage(to.base)}`)
}

function refuseInvalid(name: string, description: string | undefined): void {
  if (!isSkillName(name))
    throw new UserError(
      `Cannot make the skill: invalid name. Use 1 to ${MAX_SKILL_NAME} small letters, digits and single hyphens between them`,
    )
  if (description === '' || Array.from(description ?? '').length > MAX_DESCRIPTION)
    throw new UserError(
      `Cannot make the skill: invalid description. Use 1 to ${MAX_DESCRIPTION} characters`,
    )
}

const nextSteps = (folder: string) => `Import it: ${commandFor('import', JSON.stringify(folder))}
Then approve it in the console, under "Waiting for you".`

/** What the command line asks for. */
export async function run(): Promise<void> {
  const job = readArguments()
  if (job === null) console.log(HELP)
  else await makeSkill(job)
}

if (import.meta.main) await runScript(run)
