/**
 * `npm run new-app -- <template> <name>`: makes an app from a template, in a workspace or in a
 * folder. `test/e2e/new-app.test.ts` has the cases.
 *
 * @module
 */

import { appJsonPath, starterFiles, type StarterFile } from '#core/apps/starters.ts'
import { dirname } from 'node:path'
import { runScript, UserError } from './errors.ts'
import { commandFor } from './invocation.ts'
import { HELP, readArguments, type NewAppJob } from './new-app/arguments.ts'
import { existsError, openPlace, type Place } from './new-app/places.ts'
import { waitingPage } from './new-app/waiting-page.ts'

async function makeApp(job: NewAppJob): Promise<void> {
  const files = starterFiles(job)
  if (!files.ok) {
    const sentences = files.error.map(
      ({ field, message }) => `Cannot make the app: invalid ${field}. ${message}`,
    )
    throw new UserError(sentences.join('\n'))
  }
  const place = openPlace(job.to, 'app')
  await refuseExisting(job.name, files.value, place)
  // The manifest comes last, so that the app waits for approval only once it is whole.
  for (const { path, text } of files.value.toReversed()) await place.create(path, text)
  print(job, files.value, place)
}

/** Checks everything before anything is written. A folder without a manifest can be an app too. */
async function refuseExisting(
  name: string,
  [, ...samples]: readonly StarterFile[],
  place: Place,
): Promise<void> {
  const app = dirname(appJsonPath(name))
  if (await place.has(app)) throw existsError(app, place.title)
  for (const { path } of samples)
    if (await place.has(path)) throw existsError(path, place.title, adviceFor(samples))
}

/** One file can be shown as it is; two of a diff need a pattern that only the user knows. */
const adviceFor = ([file, ...others]: readonly StarterFile[]) =>
  file && others.length === 0 ? `To show it, add --data ${file.path}` : 'Choose another name'

function print({ name, to }: NewAppJob, files: readonly StarterFile[], { title }: Place): void {
  console.log(`Made the app ${name} in ${title}:`)
  for (const { path } of files) console.log(`  ${'folder' in to ? path.slice(1) : path}`)
  console.log(
    'folder' in to ? nextSteps(title) : `Look at it and approve it: ${waitingPage(to.base)}`,
  )
}

const nextSteps = (folder: string) => `Import it: ${commandFor('import', JSON.stringify(folder))}
Then approve it in the console, under "Waiting for you".`

/** What the command line asks for. */
export async function run(): Promise<void> {
  const job = readArguments()
  if (job === null) console.log(HELP)
  else await makeApp(job)
}

if (import.meta.main) await runScript(run)
