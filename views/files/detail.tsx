/** Details of the selected entry: facts, actions, content and history. @module */

import { visible } from '#core/visible.ts'
import { nameOf, parentOf, ROOT } from '#core/path.ts'
import { quoteName } from '#core/quote.ts'
import { useRef, useState } from 'preact/hooks'
import { SafePath } from '../safe-path.tsx'
import { pluralize } from '../safe-text.tsx'
import { onEnter } from './dialogs.tsx'
import type { Files } from './files.ts'
import { formatSize, type Dates } from './format.ts'
import { HistoryView } from './history-view.tsx'
import { Empty, IconButton, Skeleton } from '../icons.tsx'
import type { Choice, Preview } from './preview.ts'
import { TextView } from './text-view.tsx'

export interface DetailProps {
  readonly files: Files
  readonly dates: Dates
  readonly onBack: () => void
  readonly onRename: (choice: Choice) => void
}

/** Renders the details of the selection. */
export function Detail(props: DetailProps) {
  const { files, dates, onBack } = props
  const { choice, notice } = files.preview.state
  if (!choice)
    return (
      <Empty>
        Select a file to read it. Press <kbd>/</kbd> to search. Drop files to upload them.
      </Empty>
    )
  const { path, type, entry } = choice
  const facts = entry
    ? [...(type === 'file' ? [formatSize(entry.size)] : []), dates.full(entry.modified)]
    : []
  const tab = (each: Files['state']['tab'], label: string) => (
    <button
      class="quiet"
      aria-pressed={files.state.tab === each}
      onClick={() => files.showTab(each)}
    >
      {label}
    </button>
  )
  return (
    <>
      <header>
        <span class="back">
          <IconButton icon="back" label="Back to the list" onClick={onBack} />
        </span>
        <div class="heading">
          <h2 title={visible(path)}>
            {path === ROOT ? 'All files' : <SafePath text={nameOf(path)} />}
          </h2>
          <p class="hint">
            {[...facts, ''].join(' · ')}
            <SafePath text={parentOf(path)} />
          </p>
        </div>
        <Actions {...props} choice={choice} />
      </header>
      <div class="bar">
        {tab('content', 'Content')}
        {tab('history', 'History')}
      </div>
      <p class={notice && 'news'} role="status">
        {notice}
        {notice && <button onClick={() => files.preview.reopen()}>Reload</button>}
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
  const { capabilities } = files
  const { path, type, entry } = choice
  const name = nameOf(path)
  const remove = () =>
    files.changes.propose({
      title: `Delete ${quoteName(name)}?`,
      verb: 'Delete',
      tool: 'delete_file',
      args: { path, ...(entry && type === 'file' && { if_version: entry.version }) },
    })
  return (
    <div class="actions">
      {capabilities.updateModelContext && (
        <IconButton
          icon="agent"
          label="Share with the agent"
          onClick={() => files.shareWithModel(choice)}
        />
      )}
      {files.canShare && (
        <IconButton
          icon="share"
          label="Share with people"
          onClick={() => void files.share(choice)}
        />
      )}
      {capabilities.downloadFile && type === 'file' && (
        <IconButton icon="down" label="Download" onClick={() => files.download(choice)} />
      )}
      {files.tree.roots.every((root) => root.path !== path) && (
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
      return <Empty>New and uploaded files are put into this folder.</Empty>
    case 'image':
      return (
        <div class="image" tabIndex={0} role="region" aria-label="Content">
          <img src={shown.url} alt={visible(nameOf(path))} />
        </div>
      )
    case 'facts':
      return (
        <Empty>
          {shown.message}
          {entry && (
            <p class="hint">
              {entry.mime}, {pluralize(entry.size, 'byte')}
            </p>
          )}
        </Empty>
      )
    case 'failed':
      return <Empty retry={() => files.preview.reopen()}>{shown.message}</Empty>
    case 'text':
      return <TextBody {...{ files, choice, shown }} />
  }
}

interface TextBodyProps {
  readonly files: Files
  readonly choice: Choice
  readonly shown: Extract<Preview, { type: 'text' }>
}

function TextBody({ files, choice, shown: { text, language } }: TextBodyProps) {
  const [wraps, setWraps] = useState(false)
  const { preview, capabilities } = files
  return (
    <>
      <TextView text={text} wraps={wraps} target={preview.state.target} />
      <footer>
        <span class="hint">
          {pluralize(text.fileLines, 'line')}
          {text.fileLines > text.total && ` (${pluralize(text.total, 'line')} shown)`} · {language}
        </span>
        {text.error && (
          <button class="danger" title={text.error} onClick={() => text.retry()}>
            Try again
          </button>
        )}
        <LineField onLine={(line) => preview.goTo(line)} />
        <IconButton
          icon="wrap"
          label="Wrap lines"
          pressed={wraps}
          onClick={() => setWraps(!wraps)}
        />
        {capabilities.serverResources && (
          <IconButton icon="copy" label="Copy" onClick={() => files.copy(choice.path)} />
        )}
      </footer>
    </>
  )
}

function LineField({ onLine }: { readonly onLine: (line: number) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const submit = () => {
    const line = Number(field.current?.value)
    if (line >= 1) onLine(line)
  }
  return (
    <input
      ref={field}
      class="field"
      inputMode="numeric"
      aria-label="Go to line"
      placeholder="Line"
      onKeyDown={onEnter(submit)}
    />
  )
}
