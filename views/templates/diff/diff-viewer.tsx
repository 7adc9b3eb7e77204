/**
 * T4, the diff viewer: two texts, compared line by line, side by side or in one column.
 *
 * The lines and their marks are those of the review view. Highlighting colours the tokens of the
 * plain text, never of marks.
 *
 * @module
 */

import type { SettingsOf } from '#core/apps/templates.ts'
import { diffTexts } from '#core/diff/hunks.ts'
import type { FileDiff } from '#core/diff/unified.ts'
import { nameOf, resolvePath } from '#core/path.ts'
import { useMemo, useState } from 'preact/hooks'
import { FileLines } from '../../diff/file-lines.tsx'
import type { Layout } from '../../diff/segments.ts'
import { pluralize, SafeLine, SafeText, ShortText } from '../../safe-text.tsx'
import type { Dashboard } from '../dashboard.ts'
import { pairOfJson, type TextPair } from '../data/diff-input.ts'
import type { AppData } from '../data/files.ts'
import { withoutBom } from '../data/rows.ts'
import { useLoaded } from '../use-loaded.ts'
import { highlightTexts } from './line-tokens.ts'

export interface DiffViewerProps {
  readonly dashboard: Dashboard
  readonly data: AppData
  readonly settings: SettingsOf<'diff-viewer'>
}

/** Renders the diff viewer. */
export function DiffViewer({ dashboard, data, settings }: DiffViewerProps) {
  const { value, error } = useLoaded(() => loadPair(dashboard, data), [data])
  return (
    <>
      {error !== '' && (
        <p class="problem" role="alert">
          <SafeText text={error} />
        </p>
      )}
      {value && <Diff {...{ settings }} pair={value} />}
    </>
  )
}

interface NamedPair extends TextPair {
  /** Decides the language; empty if it is unknown. */
  readonly name: string
}

async function loadPair(dashboard: Dashboard, data: AppData): Promise<NamedPair> {
  if (data.kind === 'value') return checkPair(pairOfJson(data.value), '')
  const [first, second] = data.files
  if (!first) throw new Error('There are no files to compare')
  const original = await dashboard.text(first)
  if (second) return { original, modified: await dashboard.text(second), name: first.path }
  return checkPair(pairOfJson(JSON.parse(withoutBom(original))), '')
}

function checkPair(pair: TextPair | null, name: string): NamedPair {
  if (pair) return { ...pair, name }
  throw new Error('The data has no two texts: expected two files, or original and modified')
}

/** Smallest width at which two columns are readable. */
const WIDE = '(min-width: 640px)'

interface DiffProps {
  readonly settings: SettingsOf<'diff-viewer'>
  readonly pair: NamedPair
}

function Diff({ settings, pair }: DiffProps) {
  const [chosen, setLayout] = useState<Layout | null>(null)
  const [isWide] = useState(() => matchMedia(WIDE).matches)
  const layout = chosen ?? (isWide ? settings.viewMode : 'unified')
  const file = useMemo(() => diffOf(pair), [pair])
  const write = useMemo(
    () => (settings.syntaxHighlight ? highlightTexts(pair, pair.name) : undefined),
    [pair, settings],
  )
  const { added, removed } = file.stats
  const isSplit = layout === 'split'
  return (
    <>
      <div class="bar">
        <p class="sum" role="status">
          {file.hunks.length === 0
            ? 'No differences'
            : `${pluralize(added, 'line')} added, ${pluralize(removed, 'line')} removed`}
        </p>
        <button aria-pressed={isSplit} onClick={() => setLayout(isSplit ? 'unified' : 'split')}>
          Side by side
        </button>
      </div>
      <div class={isSplit ? 'sides' : 'sides one'}>
        <h2>
          <span class="sign" aria-hidden="true">
            −
          </span>{' '}
          <ShortText text={settings.leftTitle} />
        </h2>
        <h2>
          <span class="sign" aria-hidden="true">
            +
          </span>{' '}
          <SafeLine text={settings.rightTitle} />
        </h2>
      </div>
      <div
        class={settings.showLineNumbers ? 'fill diff' : 'fill diff bare'}
        tabIndex={0}
        role="region"
        aria-label="Differences"
      >
        <FileLines key={layout} {...{ file, layout, write }} read={null} hidesReturns={false} />
      </div>
    </>
  )
}

type Compared = FileDiff & { readonly stats: ReturnType<typeof diffTexts>['stats'] }

function diffOf({ original, modified, name }: NamedPair): Compared {
  const path = resolvePath(name)
  const shown = path.ok && name !== '' ? nameOf(path.value) : 'text'
  return { from: shown, to: shown, binary: false, ...diffTexts(original, modified) }
}
