/**
 * The files of a draft, each with one combined difference: risky ones first, beside a tree of all. Files that depend on
 * each other are selected together. `test/pages/console/review.test.ts` looks at them.
 *
 * @module
 */

import type { ComponentProps } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { DroppedNote } from '../amendments/dropped-note.tsx'
import { closeField, FileTools } from '../amendments/file-tools.tsx'
import { TextField } from '../amendments/text-field.tsx'
import { countAmended, fieldOf, nameDraft } from '../amendments/work.ts'
import { basePath } from '../connect/workspace.ts'
import { addressOfFile } from './draft-file.ts'
import { FileDiff } from './file-diff.tsx'
import { FileNav } from './file-nav.tsx'
import { FileSection } from './file-section.tsx'
import { FolderFiles } from './folder-files.tsx'
import { isMarkdown, RenderedFile } from './rendered.tsx'
import { LineCounts } from '#views/diff/line-counts.tsx'
import { Pager, usePages } from './pager.tsx'
import type { PartProps } from './proposed-changes.tsx'
import { setReviewOption } from './review-options.ts'
import { ReviewTools } from './review-tools.tsx'
import type { ShownMarks } from './use-marks.ts'
import { keyOf } from './viewed.ts'

const PAGE_ROWS = 100

interface Props extends PartProps {
  readonly marks: ShownMarks
}

/** Shows the files with their differences. */
export function ChangedFiles(props: Props) {
  const { draft, contents, marks } = props
  const { files_left_out } = contents
  const files = contents.files.map((file) => countAmended(nameDraft(contents.id), file))
  const pages = usePages(files, files_left_out, PAGE_ROWS, () => draft.loadMore('files'))
  const [showsTree, setShowsTree] = useState(() => matchMedia('(min-width: 64rem)').matches)
  // White space is shown at first in each draft.
  useEffect(() => setReviewOption({ ignoresSpace: false }), [contents.id])
  const show = (file: ChangedFile) => {
    pages.show(files.indexOf(file))
    requestAnimationFrame(() => focusFile(file.path))
  }
  return (
    <section class="card review" aria-labelledby="changed-files">
      <header class="row apart">
        <div class="row">
          <h2 id="changed-files">Files</h2>
          <Sum {...props} files={files} />
        </div>
        <ReviewTools showsTree={showsTree} onTree={() => setShowsTree(!showsTree)} />
      </header>
      <DroppedNote draft={nameDraft(contents.id)} />
      {pages.rows.length === 0 && (
        <p class="faint">These changes leave every file as it is. Approving them writes nothing.</p>
      )}
      <div class={showsTree && files.length > 1 ? 'reviewbody' : ''}>
        {showsTree && files.length > 1 && <FileNav files={files} marks={marks} onShow={show} />}
        <div>
          <Sections {...props} rows={pages.rows} />
          <Pager pages={pages} noun="file" />
        </div>
      </div>
    </section>
  )
}

/** Moves the focus to a file, and the file to the top of the window. */
function focusFile(path: string): void {
  const all = [...document.querySelectorAll<HTMLElement>('.draftfiles > li')]
  const found = all.find((one) => one.dataset['path'] === path)
  found?.querySelector<HTMLElement>('.path')?.focus({ preventScroll: true })
  found?.scrollIntoView({ block: 'start' })
}

function Sum({ contents, marks, files }: Props & { readonly files: readonly ChangedFile[] }) {
  const { files_left_out, risky } = contents
  const more = (name: 'added' | 'removed') =>
    files.reduce((sum, file, at) => sum + (file[name] ?? 0) - (contents.files[at]?.[name] ?? 0), 0)
  const viewed = files.length - marks.countUnviewed(files)
  return (
    <p class="row small">
      {formatCount(files.length + files_left_out, 'file')}
      <LineCounts
        added={contents.added + more('added')}
        removed={contents.removed + more('removed')}
      />
      {risky > 0 && (
        <span class="risky">
          <Icon name="warning" /> {formatCount(risky, 'file')} to look at first
        </span>
      )}
      <span role="status">{viewed > 0 && `${viewed} viewed`}</span>
    </p>
  )
}

function Sections({
  draft,
  contents,
  groups,
  marks,
  rows,
}: Props & { readonly rows: readonly ChangedFile[] }) {
  const { id, files, files_left_out, revision } = contents
  const [current, setCurrent] = useState('')
  const [flipped, setFlipped] = useState<ReadonlySet<string>>(new Set())
  const keys = rows.map(keyOf)
  const tabStop = keys.includes(current) ? current : keys[0]
  const sizes = countByGroup(files)
  const work = nameDraft(id)
  const flip = (key: string, is: boolean) => {
    const next = new Set(flipped)
    if (is) next.add(key)
    else next.delete(key)
    setFlipped(next)
  }
  const view = (file: ChangedFile) => {
    marks.setViewed(file, !marks.isViewed(file))
    flip(keyOf(file), false)
  }
  return (
    <ul class="draftfiles" aria-label="Changed files">
      {rows.map((file) => {
        const key = keyOf(file)
        const of = { revision }
        const isTabStop = key === tabStop
        const canAmend = isAmendable(file) && !groups.conflicting.has(file.group)
        const shown = { id, file, of, onOther: draft.noteChange, canAmend, isTabStop }
        const field = canAmend ? fieldOf(work, file) : null
        const isOpen = field !== null || marks.isViewed(file) === flipped.has(key)
        return (
          <FileSection
            key={key}
            file={file}
            others={describeOthers((sizes.get(file.group) ?? 1) - 1, files_left_out > 0)}
            isSelected={draft.selected.has(file.group)}
            isSingle={groups.single.has(file.group)}
            isViewed={marks.isViewed(file)}
            since={marks.since(file)}
            isTabStop={isTabStop}
            isOpen={isOpen}
            onFocus={() => setCurrent(key)}
            onSelect={() => draft.toggle(file.group)}
            onView={() => view(file)}
            onOpen={() => flip(key, !flipped.has(key))}
            tools={canAmend && <FileTools work={work} file={file} tabIndex={isTabStop ? 0 : -1} />}
          >
            <FileContents key={revision} {...shown} isInField={field !== null} />
          </FileSection>
        )
      })}
    </ul>
  )
}

/** Shows the field with the text of a file, or how it differs. */
function FileContents({ isInField, ...shown }: ShownFile & { readonly isInField: boolean }) {
  const { id, file, of, onOther } = shown
  const work = nameDraft(id)
  if (isInField)
    return (
      <TextField
        {...{ draft: work, file, onOther }}
        addressOf={(side) => addressOfFile(basePath.value, id, { file, of }, side)}
        onClose={() => closeField(work, file)}
      />
    )
  if (file.files) return <FolderFiles {...shown} revision={of.revision} />
  return isMarkdown(file) ? <RenderedFile {...shown} /> : <FileDiff {...shown} />
}

type ShownFile = ComponentProps<typeof FileDiff> & { readonly of: { readonly revision: string } }

/** Whether a text is there afterwards that could be amended. */
const isAmendable = ({ type, after }: ChangedFile) => type === 'file' && after !== null

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
