/**
 * The files of a draft: each with one combined diff, which is loaded when it is opened. Files that depend on each
 * other are selected together.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { visible } from '#core/visible.ts'
import { Path } from '../ui/path.tsx'
import { formatBytes, formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { Badge, type Tone } from '../ui/parts.tsx'
import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { FileDiff } from './file-diff.tsx'
import { Pager, usePages } from './pager.tsx'
import type { PartProps } from './proposed-changes.tsx'
import { UnseenBadge } from './whole-file.tsx'

const PAGE_ROWS = 100

const TONES: Readonly<Record<ChangedFile['change'], Tone>> = {
  added: 'success',
  changed: 'info',
  deleted: 'danger',
}

/** Shows the files as a list with check boxes. */
export function ChangedFiles({ draft, contents, groups }: PartProps) {
  const { id, files, files_left_out, revision } = contents
  const pages = usePages(files, files_left_out, PAGE_ROWS, () => draft.loadMore('files'))
  const [current, setCurrent] = useState('')
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const keys = pages.rows.map(keyOf)
  const tabStop = keys.includes(current) ? current : keys[0]
  const sizes = countByGroup(files)
  const open = (key: string) => {
    const next = new Set(opened)
    if (!next.delete(key)) next.add(key)
    setOpened(next)
  }
  return (
    <section class="card" aria-labelledby="changed-files">
      <header>
        <h2 id="changed-files">Files</h2>
        <p>{formatCount(files.length + files_left_out, 'file')}, compared with the workspace</p>
      </header>
      {pages.rows.length === 0 && (
        <p class="faint">These changes leave every file as it is. Approving them writes nothing.</p>
      )}
      <ul class="draftfiles" aria-label="Changed files">
        {pages.rows.map((file) => (
          <FileRow
            key={keyOf(file)}
            file={file}
            others={describeOthers((sizes.get(file.group) ?? 1) - 1, files_left_out > 0)}
            isSelected={draft.selected.has(file.group)}
            isSingle={groups.single.has(file.group)}
            isTabStop={keyOf(file) === tabStop}
            isOpen={opened.has(keyOf(file))}
            onFocus={() => setCurrent(keyOf(file))}
            onSelect={() => draft.toggle(file.group)}
            onOpen={() => open(keyOf(file))}
          >
            <FileDiff
              key={revision}
              id={id}
              file={file}
              of={{ revision }}
              onOther={draft.noteChange}
            />
          </FileRow>
        ))}
      </ul>
      <Pager pages={pages} noun="file" />
    </section>
  )
}

/** A file that becomes a folder is listed as both. */
const keyOf = ({ path, type }: ChangedFile) => `${type} ${path}`

function countByGroup(files: readonly ChangedFile[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { group } of files) counts.set(group, (counts.get(group) ?? 0) + 1)
  return counts
}

/** Of a list that is not loaded as a whole, the number is the least one. */
function describeOthers(count: number, isPart: boolean): string {
  if (count === 0) return ''
  return isPart
    ? `with ${formatCount(count, 'or more other files', 'or more other files')}`
    : `with ${formatCount(count, 'other file')}`
}

interface RowProps {
  readonly file: ChangedFile
  /** The other files that are selected with it, in words; empty if there are none. */
  readonly others: string
  readonly isSelected: boolean
  /** Whether it is decided on its own, so that it cannot be selected. */
  readonly isSingle: boolean
  /** Of all rows, Tab stops at one; arrow keys move among them. */
  readonly isTabStop: boolean
  readonly isOpen: boolean
  readonly onFocus: () => void
  readonly onSelect: () => void
  readonly onOpen: () => void
  /** The diff, rendered while the row is open. */
  readonly children: ComponentChildren
}

function FileRow(props: RowProps) {
  const { file, others, isSelected, isSingle, isTabStop, isOpen, onFocus, onSelect, onOpen } = props
  const { path, type, unseen, change, before, after } = file
  const tabIndex = isTabStop ? 0 : -1
  const shownPath = visible(path)
  return (
    <li class={isSelected ? 'selected' : ''} onFocusIn={onFocus}>
      <input
        type="checkbox"
        aria-label={isSingle ? `${shownPath}, decided on its own` : `Select ${shownPath}`}
        aria-disabled={isSingle}
        title={isSingle ? 'Decided on its own, in the list of changes' : undefined}
        checked={isSelected}
        tabIndex={tabIndex}
        onClick={(event) => {
          if (isSingle) event.preventDefault()
          else onSelect()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onOpen()
        }}
      />
      <button
        type="button"
        class="path"
        aria-expanded={isOpen}
        tabIndex={tabIndex}
        onClick={onOpen}
      >
        <Icon name="arrow" />
        <Path text={path} />
      </button>
      <span class="about">
        {others !== '' && <small>{others}</small>}
        {unseen && <UnseenBadge />}
        <Badge tone={TONES[change]}>{type === 'folder' ? `folder ${change}` : change}</Badge>
        {type === 'file' && <small class="numbers">{formatSizes(before, after)}</small>}
      </span>
      {isOpen && <div class="opened">{props.children}</div>}
    </li>
  )
}

function formatSizes(before: number | null, after: number | null): string {
  if (before === null || after === null) return formatBytes(before ?? after ?? 0)
  return before === after ? formatBytes(after) : `${formatBytes(before)} → ${formatBytes(after)}`
}
