/**
 * The files of a new app: its `app.json`, and sample data where no file is given.
 *
 * `npm run new-app` and the console write them. Like every app, a new one is served only after the
 * owner has approved it. `test/core/apps/starters.test.ts` reads each as the server does.
 *
 * @module
 */

import { err, ok, type Result } from '../result.ts'
import { isAppName } from './name.ts'
import { findPatternFault, trimPattern } from './patterns.ts'
import { SAMPLES, type StarterFile } from './samples.ts'
import { isTemplate, TEMPLATES, type TemplateName } from './templates.ts'

export type { StarterFile } from './samples.ts'

/** What a new app is made of. All of it is untrusted. */
export interface StarterOptions {
  readonly template: string
  /** The name of its folder. */
  readonly name: string
  /** A path or pattern of files that it shows; without it, the app gets sample data. */
  readonly data?: string | undefined
}

/** Why no app can be made. The message goes with the name of the field. */
export interface StarterProblem {
  readonly field: keyof StarterOptions
  readonly message: string
}

/**
 * Makes the files of a new app.
 *
 * @returns `/.apps/{name}/app.json` first, then the sample data. Paths are those of the workspace;
 *   whether files exist there is for the caller to check.
 */
export function starterFiles(
  options: StarterOptions,
): Result<readonly StarterFile[], readonly StarterProblem[]> {
  const { template, name, data } = options
  const problems = findProblems(options)
  if (!isTemplate(template) || problems.length > 0) return err(problems)
  const sample = data === undefined ? SAMPLES[template].files(name) : []
  const shown = data === undefined ? sample.map(({ path }) => path) : [`/${trimPattern(data)}`]
  const manifest = manifestOf(template, name, shown, sample.length > 0)
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  return ok([{ path: appJsonPath(name), text }, ...sample])
}

/** Returns the path of the manifest of an app. An app with it exists. */
export const appJsonPath = (name: string): string => `/.apps/${name}/app.json`

function manifestOf(
  template: TemplateName,
  name: string,
  data: readonly string[],
  hasSample: boolean,
) {
  const { description, config, sampleConfig = {}, isWriter = false } = SAMPLES[template]
  return {
    title: titleOf(name),
    description,
    template,
    data,
    ...(isWriter && { write: data }),
    config: { ...config, ...(hasSample && sampleConfig) },
  }
}

/** Returns a name as a title: `my-board` is "My board". */
function titleOf(name: string): string {
  const words = name.replaceAll(/[-_]+/g, ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

function findProblems({ template, name, data }: StarterOptions): StarterProblem[] {
  const problems: StarterProblem[] = []
  if (!isTemplate(template))
    problems.push({ field: 'template', message: `Expected one of: ${TEMPLATES.join(', ')}` })
  if (!isAppName(name)) problems.push({ field: 'name', message: NAME_RULE })
  const fault = data === undefined ? null : findDataFault(data, template)
  if (fault !== null) problems.push({ field: 'data', message: fault })
  return problems
}

const NAME_RULE =
  'Expected 1 to 40 small letters, digits, - and _, with a letter or digit at both ends'

function findDataFault(data: string, template: string): string | null {
  const fault = findPatternFault(data)
  if (fault !== null) return `${JSON.stringify(data)} ${fault}`
  if (data.endsWith('/')) return `${data} is a folder. Name its files, such as ${data}*`
  if (template === 'form' && !APPENDABLE.test(data))
    return 'A form adds to one file: expected a path that ends in .csv, .tsv, .json or .jsonl'
  return null
}

/** One file, and no pattern, of a format to which a form can append. */
const APPENDABLE = /^[^*?{[]+\.(?:csv|tsv|json|jsonl|ndjson)$/i
