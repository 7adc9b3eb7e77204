/**
 * The app that this page shows, from the JSON that the server put into the page.
 *
 * @module
 */

import { readTemplate, type SettingProblem, type TemplateSettings } from '#core/apps/templates.ts'
import { isRecord, recordOf } from '#core/json.ts'
import { literalPrefix, matches, parseGlob } from '#core/glob.ts'
import { relativeTo, resolvePath, ROOT } from '#core/path.ts'

export interface App {
  /** The name of its folder; its tool is `open_{name}`. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly template: TemplateSettings
  /** Paths or globs of the files that it shows. */
  readonly data: readonly string[]
  /** Paths or globs of the files that it may change. */
  readonly write: readonly string[]
}

/** Parses the app; the problems of its settings if it cannot be shown. */
export function parseApp(text: string): App | readonly SettingProblem[] {
  const app = parseRecord(text)
  if (!app) return [{ pointer: '', message: 'The page has no app' }]
  const { name, title, description, template, config, data, write } = app
  const read = readTemplate(template, config ?? undefined)
  if (!read.ok) return read.error
  const shown = isRecord(config) && typeof config['title'] === 'string' ? config['title'] : title
  return {
    name: toText(name),
    title: toText(shown) || read.value.settings.title,
    description: toText(description),
    template: read.value,
    data: toTexts(data),
    write: toTexts(write),
  }
}

const toTexts = (value: unknown) =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

const toText = (value: unknown) => (typeof value === 'string' ? value : '')

function parseRecord(text: string) {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && Object.keys(recordOf(value)).length > 0 ? value : null
  } catch {
    return null
  }
}

/** Whether an app may change a file: what the owner approved. The rules of its caller hold in the server besides. */
export function mayWrite({ write }: App, path: string): boolean {
  const target = resolvePath(path)
  if (!target.ok) return false
  return write.some((pattern) => {
    const glob = parseGlob(withoutRoot(pattern))
    return glob.ok && matches(glob.value, relativeTo(target.value, ROOT))
  })
}

/** Returns the paths below which files of the data may appear. */
export function dataFolders({ data }: App): string[] {
  const globs = data.map((pattern) => parseGlob(withoutRoot(pattern)))
  return globs.flatMap((glob) => (glob.ok ? [`/${literalPrefix(glob.value)}`] : []))
}

const withoutRoot = (pattern: string) => pattern.replace(/^\.?\//, '')

/** Returns the file to which a form appends: the first of `write` that is a path and no pattern. */
export function targetFile({ write }: App): string | null {
  return write.find((path) => !/[*?{[]/.test(path)) ?? null
}
