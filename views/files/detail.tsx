/** Details of the selected entry: facts, actions, content and history. @module */

import { nameOf, parentOf } from '#core/path.ts'
import { useRef, useState } from 'preact/hooks'
import { Visible } from '../review/words.tsx'
import { onEnter } from './dialogs.tsx'
import type { Files } from './files.ts'
import { counted, shownPath, sizeText, type Dates } from './format.ts'
import { HistoryView } from './history-view.tsx'
import { Empty, IconButton, Skeleton } from './icons.tsx'
import type { Choice, Preview } from './preview.ts'
import { TextView } from './text-view.tsx'

/** Props of {@link Detail}. */
export interface DetailProps {
  readonly files: Files
  readonly dates: Dates
  readonly onBack: () => void
  readonly onRename: (choice: Choice) => void
}

/** Renders the details of the selection. */
export function Detail(props: DetailProps) {
  const { files, dates, onBack } = props
  const { choice, news } = files.preview.state
  if (!choice)
    return (
      <Empty>
        Choose a file to read it here. Press <kbd>/</kbd> to search, or drop files to upload them.
      </Empty>
    )
  const { path, type, entry } = choice
  const facts = entry
    ? [...(type === 'file' ? [sizeText(entry.size)] : []), dates.full(entry.modified)]
    : []
  const tab = (each: Files['state']['tab'], label: string) => (
    <button class="quiet" aria-pressed={files.state.tab === each} onClick={() => files.show(each)}>
      {label}
    </button>
  )
  return (
    <>
      <header>
        <span class="back">
          <IconButton icon="back" label="Back to the list" onClick={onBack} />
        </span>
        <div class="what">
          <h2 title={path}>
            <Visible text={nameOf(path) || 'All files'} />
          </h2>
          <p class="hint">{[...facts, shownPath(parentOf(path))].join(' · ')}</p>
        </div>
        <Actions {...props} choice={choice} />
      </header>
      <div class="bar">
        {tab('content', 'Content')}
        {tab('history', 'History')}
      </div>
      <p class={news && 'news'} role="status">
        {news}
        {news && <button onClick={files.preview.reopen}>Show</button>}
      </p>
      {files.state.tab === 'history' ? (
        <HistoryView files={files} dates={dates} choice={choice} />
      ) : (
        <Body files={files} choice={choice} shown={files.preview.state.shown} />
      )}
    </>
  )
}

function Actions({ files, choice, onRename }: DetailProps & { choice: Choice }) {
  const { can } = files
  const { path, type, entry } = choice
  const name = nameOf(path)
  const remove = () =>
    files.changes.propose({
      title: `Delete ${name}?`,
      verb: 'Delete',
      tool: 'delete_file',
      args: { path, ...(entry && type === 'file' && { if_version: entry.version }) },
    })
  return (
    <div class="actions">
      {can.updateModelContext && (
        <IconButton icon="agent" label="Tell the agent" onClick={() => files.tellModel(choice)} />
      )}
      {can.downloadFile && type === 'file' && (
        <IconButton icon="down" label="Download" onClick={() => files.download(choice)} />
      )}
      {files.tree.tops.every((top) => top.path !== path) && (
        <>
          <IconButton icon="edit" label="Rename or move" onClick={() => onRename(choice)} />
          <IconButton icon="trash" label="Delete" onClick={remove} />
        </>
      )}
    </div>
  )
}

interface BodyProps {
  readonly files: Files
  readonly choice: Choice
  readonly shown: Preview
}

function Body({ files, choice, shown }: BodyProps) {
  const { entry, path } = choice
  switch (shown.type) {
    case 'loading':
      return <Skeleton />
    case 'folder':
      return <Empty>New files, and what you upload or drop, go into this folder.</Empty>
    case 'image':
      return (
        <div class="image" tabIndex={0} role="region" aria-label="Content">
          <img src={shown.url} alt={nameOf(path)} />
        </div>
      )
    case 'facts':
      return (
        <Empty>
          {shown.words}
          {entry && (
            <p class="hint">
              {entry.mime}, {counted(entry.size, 'byte')}
            </p>
          )}
        </Empty>
      )
    case 'failed':
      return <Empty retry={files.preview.reopen}>{shown.words}</Empty>
    case 'text':
      return <TextBody {...{ files, choice, shown }} />
  }
}

function TextBody({
  files,
  choice,
  shown,
}: BodyProps & { shown: Extract<Preview, { type: 'text' }> }) {
  const { text, language } = shown
  const [wraps, setWraps] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const submit = () => {
    const line = Number(field.current?.value)
    if (line >= 1) files.preview.goTo(line)
  }
  return (
    <>
      <TextView text={text} wraps={wraps} aim={files.preview.state.aim} />
      <footer>
        <span class="hint">
          {counted(text.all, 'line')}
          {text.all > text.total && ` (${counted(text.total, 'line')} shown)`} · {language}
        </span>
        {text.error && (
          <button class="danger" title={text.error} onClick={text.retry}>
            Try again
          </button>
        )}
        <input
          ref={field}
          class="field"
          inputMode="numeric"
          aria-label="Go to line"
          placeholder="Line"
          onKeyDown={onEnter(submit)}
        />
        <IconButton
          icon="wrap"
          label="Wrap lines"
          pressed={wraps}
          onClick={() => setWraps(!wraps)}
        />
        {files.can.serverResources && (
          <IconButton icon="copy" label="Copy" onClick={() => files.copy(choice.path)} />
        )}
      </footer>
    </>
  )
}
