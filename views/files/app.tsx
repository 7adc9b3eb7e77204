/**
 * Root component of the files view: tree or results, details of the selection, dialogs, notices.
 *
 * @module
 */

import { nameOf, parentOf, type StorePath } from '#core/path.ts'
import { quoteName } from '#core/quote.ts'
import type { TargetedDragEvent } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Bridge } from '../bridge.ts'
import type { Proposal } from './changes.ts'
import { resolveIn } from './client.ts'
import { Detail } from './detail.tsx'
import { ChangeDialog, NameDialog, UploadDialog, type NameQuestion } from './dialogs.tsx'
import type { Files } from './files.ts'
import { createDates, type Dates } from './format.ts'
import { Empty, IconButton, Skeleton } from '../icons.tsx'
import type { Choice } from './preview.ts'
import { Results, SearchField } from './search-view.tsx'
import { Splitter } from './splitter.tsx'
import { Tools } from './tools.tsx'
import { TreeList } from './tree-list.tsx'

/** Height in CSS pixels, where the host leaves it to the view. */
const HEIGHT = 560

export interface AppProps {
  readonly files: Files
  readonly bridge: Bridge
}

/** Renders the files view. */
export function App({ files, bridge }: AppProps) {
  const [share, setShare] = useState(36)
  const [question, setQuestion] = useState<NameQuestion | null>(null)
  const page = useRef<HTMLDivElement>(null)
  const { phase, error, pane } = files.state
  const { context } = bridge
  const { locale, timeZone } = context
  const dates = useMemo(() => createDates(locale, timeZone), [locale, timeZone])
  useSlashKey(page)
  const { draft } = files.changes
  return (
    <div
      class="page"
      ref={page}
      data-pane={pane}
      style={`--share:${share}%;height:${pageHeight(context)}`}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => offerDropped(files, event)}
    >
      {phase === 'failed' ? (
        <Empty retry={() => files.start()}>{error}</Empty>
      ) : (
        <Panes {...{ files, bridge, dates, share, setShare, setQuestion }} />
      )}
      <NoticeBar files={files} />
      <h1 class="visually-hidden">Files</h1>
      <SearchStatus files={files} />
      {question && <NameDialog question={question} onClose={() => setQuestion(null)} />}
      {draft && draft.stage !== 'asked' && <ChangeDialog files={files} draft={draft} />}
      {files.uploads.state.phase !== 'closed' && <UploadDialog files={files} />}
    </div>
  )
}

interface PanesProps extends AppProps {
  readonly dates: Dates
  /** Width of the list, in per cent. */
  readonly share: number
  readonly setShare: (share: number) => void
  readonly setQuestion: (question: NameQuestion | null) => void
}

/** Renders the toolbar, the list, and the details beside it. */
function Panes({ files, bridge, dates, share, setShare, setQuestion }: PanesProps) {
  const propose = (proposal: Proposal) => {
    setQuestion(null)
    void files.changes.propose(proposal)
  }
  const create = (type: 'file' | 'folder') => {
    const folder = files.targetFolder()
    const onAnswer = (name: string) => propose(creation(type, resolveIn(folder, name)))
    setQuestion({ title: `New ${type} in ${quoteName(folder)}`, value: '', onAnswer })
  }
  const rename = (choice: Choice) => {
    const { path } = choice
    const onAnswer = (to: string) => propose(move(choice, resolveIn(parentOf(path), to)))
    setQuestion({ title: `Rename or move ${quoteName(nameOf(path))}`, value: path, onAnswer })
  }
  const openResult = (index: number) => {
    if (openSearchResult(files, index)) showDetail()
  }
  const showDetail = () => files.showPane('detail')
  return (
    <>
      <div class="toolbar">
        <SearchField files={files} onOpen={openResult} />
        <Tools {...{ files, bridge }} onCreate={create} onDetail={showDetail} />
      </div>
      <div class="panes">
        <section class="list" aria-label="Files and results">
          <List {...{ files, dates, openResult, showDetail }} />
        </section>
        <Splitter share={share} onShare={setShare} />
        <section class="detail" aria-label="Selection">
          <Detail {...{ files, dates }} onBack={() => files.showPane('list')} onRename={rename} />
        </section>
      </div>
    </>
  )
}

interface ListProps {
  readonly files: Files
  readonly dates: Dates
  readonly openResult: (index: number) => void
  readonly showDetail: () => void
}

/** Renders the tree, or the results while there is a query. */
function List({ files, dates, openResult, showDetail }: ListProps) {
  if (files.state.phase === 'loading') return <Skeleton />
  if (files.search.state.query.text !== '') return <Results files={files} onOpen={openResult} />
  return (
    <TreeList
      {...{ files, dates }}
      onOpen={(item) => {
        if (item.type === 'file') showDetail()
        void files.choose(item)
      }}
    />
  )
}

/** Opens a row of the results; true if it shows the details of an entry. */
function openSearchResult(files: Files, index: number): boolean {
  const { search } = files
  const row = search.state.rows[index]
  if (!row) return false
  search.moveTo(index)
  if (row.type === 'more') void search.loadMore()
  else if (row.type === 'count') void search.expand(index)
  else {
    void files.openPath(row.path, row.type === 'line' ? row.number : 1)
    return true
  }
  return false
}

function creation(type: 'file' | 'folder', path: StorePath): Proposal {
  const common = { title: `Create ${quoteName(nameOf(path))}?`, verb: 'Create' }
  return type === 'folder'
    ? { ...common, tool: 'create_folder', args: { path } }
    : { ...common, tool: 'write_file', args: { path, content: '', if_version: 0 } }
}

function move({ path, type, entry }: Choice, to: StorePath): Proposal {
  const version = entry && type === 'file' ? { if_version: entry.version } : {}
  const args = { from: path, to, ...version }
  return { title: `Move ${quoteName(nameOf(path))}?`, verb: 'Move', tool: 'move_file', args }
}

function offerDropped(files: Files, event: TargetedDragEvent<HTMLDivElement>): void {
  event.preventDefault()
  const row = event.target instanceof Element && event.target.closest<HTMLElement>('[data-path]')
  const folder = dropFolder(files, row ? row.dataset['path'] : undefined)
  files.uploads.offer(folder, [...(event.dataTransfer?.files ?? [])])
}

/**
 * Returns the target folder of a drop: the folder itself, the parent of a file, or the current
 * folder.
 */
function dropFolder(files: Files, path: string | undefined): StorePath {
  const row = files.tree.rows.find((each) => each.type !== 'note' && each.path === path)
  if (!row || row.type === 'note') return files.targetFolder()
  return row.type === 'folder' ? row.path : parentOf(row.path)
}

/** Focuses the search field on `/`, except while the user types in a field or dialog. */
function useSlashKey(page: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, dialog')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
      page.current?.querySelector<HTMLElement>('[role=combobox]')?.focus()
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

function pageHeight({ containerDimensions = {}, displayMode }: Bridge['context']): string {
  const { height, maxHeight = HEIGHT } = containerDimensions
  if (displayMode === 'fullscreen' || height !== undefined) return '100dvh'
  return `${Math.min(HEIGHT, maxHeight)}px`
}

/** Announces the number of results. */
function SearchStatus({ files }: { readonly files: Files }) {
  const { query, phase, summary } = files.search.state
  return (
    <p class="visually-hidden" role="status">
      {query.text !== '' && phase === 'done' && summary}
    </p>
  )
}

function NoticeBar({ files }: { readonly files: Files }) {
  const { notice } = files.state
  return (
    <div class={notice ? 'notice' : ''} role="status">
      {notice && (
        <>
          <span class={notice.failed ? 'danger' : ''}>{notice.text}</span>
          {notice.undo && <button onClick={() => files.undo(notice.undo)}>Undo</button>}
          <IconButton icon="close" label="Dismiss" onClick={() => files.dismissNotice()} />
        </>
      )}
    </div>
  )
}
