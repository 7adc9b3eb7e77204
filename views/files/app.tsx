/**
 * Root component of the files view: tree or results, details of the selection, dialogs, notices.
 *
 * @module
 */

import { nameOf, parentOf, type StorePath } from '#core/path.ts'
import type { TargetedDragEvent, TargetedEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Bridge } from '../bridge.ts'
import type { Proposal } from './changes.ts'
import { Detail } from './detail.tsx'
import { ChangeDialog, NameDialog, UploadDialog, type Question } from './dialogs.tsx'
import type { Files } from './files.ts'
import { createDates, shownPath } from './format.ts'
import { Empty, IconButton, Skeleton } from './icons.tsx'
import type { Choice } from './preview.ts'
import { Results, SearchField } from './results.tsx'
import { pathIn } from './server.ts'
import { Splitter } from './splitter.tsx'
import { TreeList } from './tree-list.tsx'

/** Height in CSS pixels, where the host leaves it to the view. */
const HEIGHT = 560

/** Renders the files view. */
export function App({ files, bridge }: { files: Files; bridge: Bridge }) {
  const [share, setShare] = useState(36)
  const [pane, setPane] = useState('list')
  const [question, setQuestion] = useState<Question | null>(null)
  const page = useRef<HTMLDivElement>(null)
  const { search, changes, uploads } = files
  const { phase, error } = files.state
  const { query, said } = search.state
  const searching = query.text !== ''
  const dates = createDates(bridge.context.locale, bridge.context.timeZone)
  const leave = () => setQuestion(null)
  useSlashKey(page)

  function openResult(index: number): void {
    const row = search.state.rows[index]
    if (!row) return
    search.move(index)
    if (row.type === 'more') return void search.more()
    if (row.type === 'count') return void search.expand(index)
    setPane('detail')
    void files.openPath(row.path, row.type === 'line' ? row.number : 1)
  }

  function propose(proposal: Proposal): void {
    leave()
    void changes.propose(proposal)
  }

  const create = (what: string) => () => {
    const folder = files.target()
    const answer = (name: string) => propose(creation(what, pathIn(folder, name)))
    setQuestion({ title: `New ${what} in ${shownPath(folder)}`, value: '', answer })
  }

  function rename(choice: Choice): void {
    const { path } = choice
    const answer = (to: string) => propose(moving(choice, pathIn(parentOf(path), to)))
    setQuestion({ title: `Rename or move ${nameOf(path)}`, value: path, answer })
  }

  function drop(event: TargetedDragEvent<HTMLDivElement>): void {
    event.preventDefault()
    const over = event.target instanceof Element && event.target.closest<HTMLElement>('[data-path]')
    const path = over ? over.dataset['path'] : undefined
    uploads.offer(folderAt(files, path), [...(event.dataTransfer?.files ?? [])])
  }

  return (
    <div
      class="page"
      ref={page}
      data-pane={pane}
      style={`--share:${share}%;height:${heightOf(bridge.context)}`}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      {phase === 'failed' ? (
        <Empty retry={files.start}>{error}</Empty>
      ) : (
        <>
          <div class="toolbar">
            <SearchField files={files} onOpen={openResult} />
            <Tools {...{ files, bridge, create }} onDetail={() => setPane('detail')} />
          </div>
          <div class="panes">
            <section class="list" aria-label="Files and results">
              {phase === 'loading' ? (
                <Skeleton />
              ) : searching ? (
                <Results files={files} onOpen={openResult} />
              ) : (
                <TreeList
                  {...{ files, dates }}
                  onOpen={(item) => {
                    if (item.type === 'file') setPane('detail')
                    void files.choose(item)
                  }}
                />
              )}
            </section>
            <Splitter share={share} onShare={setShare} />
            <section class="detail" aria-label="What was chosen">
              <Detail {...{ files, dates }} onBack={() => setPane('list')} onRename={rename} />
            </section>
          </div>
        </>
      )}
      <NoticeBar files={files} />
      <h1 class="visually-hidden">Files</h1>
      <p class="visually-hidden" role="status">
        {searching && search.state.phase === 'done' && said}
      </p>
      {question && <NameDialog question={question} onClose={leave} />}
      {changes.draft && <ChangeDialog files={files} draft={changes.draft} />}
      {uploads.state.phase !== 'closed' && <UploadDialog files={files} />}
    </div>
  )
}

interface ToolsProps {
  readonly files: Files
  readonly bridge: Bridge
  readonly create: (what: string) => () => void
  /** Shows the details, where there is room for one pane only. */
  readonly onDetail: () => void
}

function Tools({ files, bridge, create, onDetail }: ToolsProps) {
  const picker = useRef<HTMLInputElement>(null)
  const { availableDisplayModes, displayMode } = bridge.context
  const isFull = displayMode === 'fullscreen'
  const pick = ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
    files.uploads.offer(files.target(), [...(currentTarget.files ?? [])])
    currentTarget.value = ''
  }
  return (
    <div class="actions">
      <IconButton icon="newFile" label="New file" onClick={create('file')} />
      <IconButton icon="newFolder" label="New folder" onClick={create('folder')} />
      <IconButton icon="up" label="Upload files" onClick={() => picker.current?.click()} />
      <IconButton icon="refresh" label="Refresh" onClick={files.refresh} />
      {availableDisplayModes?.includes('fullscreen') && (
        <IconButton
          icon="full"
          label="Full screen"
          pressed={isFull}
          onClick={() => bridge.requestDisplayMode(isFull ? 'inline' : 'fullscreen')}
        />
      )}
      {files.preview.state.choice && (
        <span class="back">
          <IconButton icon="text" label="What was chosen" onClick={onDetail} />
        </span>
      )}
      <input ref={picker} type="file" multiple hidden onChange={pick} />
    </div>
  )
}

function creation(what: string, path: StorePath): Proposal {
  const common = { title: `Create ${nameOf(path)}?`, verb: 'Create' }
  return what === 'folder'
    ? { ...common, tool: 'create_folder', args: { path } }
    : { ...common, tool: 'write_file', args: { path, content: '', if_version: 0 } }
}

function moving({ path, type, entry }: Choice, to: StorePath): Proposal {
  const version = entry && type === 'file' ? { if_version: entry.version } : {}
  const args = { from: path, to, ...version }
  return { title: `Move ${nameOf(path)}?`, verb: 'Move', tool: 'move_file', args }
}

/**
 * Returns the target folder of a drop: the folder itself, the parent of a file, or the current
 * folder.
 */
function folderAt(files: Files, path: string | undefined): StorePath {
  const row = files.tree.rows.find((each) => each.type !== 'note' && each.path === path)
  if (!row || row.type === 'note') return files.target()
  return row.type === 'folder' ? row.path : parentOf(row.path)
}

/** Focuses the search field on `/`, except while the user types in a field or dialog. */
function useSlashKey(page: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest('input, dialog')
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey) return
      page.current?.querySelector<HTMLElement>('[role=combobox]')?.focus()
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

function heightOf({ containerDimensions = {}, displayMode }: Bridge['context']): string {
  const { height, maxHeight = HEIGHT } = containerDimensions
  if (displayMode === 'fullscreen' || height !== undefined) return '100dvh'
  return `${Math.min(HEIGHT, maxHeight)}px`
}

function NoticeBar({ files }: { files: Files }) {
  const { notice } = files.state
  return (
    <div class={notice ? 'notice' : ''} role="status">
      {notice && (
        <>
          <span class={notice.failed ? 'danger' : ''}>{notice.text}</span>
          {notice.undo && <button onClick={() => files.undo(notice.undo)}>Undo</button>}
          <IconButton icon="close" label="Dismiss" onClick={files.hush} />
        </>
      )}
    </div>
  )
}
