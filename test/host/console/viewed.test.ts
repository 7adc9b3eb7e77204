import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import {
  isViewed,
  readMarks,
  setListed,
  setViewed,
  sinceLastVisit,
  writeMarks,
} from '#host/console/drafts/viewed.ts'
import { beforeEach, expect, it } from 'vitest'

const file = (path: string, mark: string): Pick<ChangedFile, 'path' | 'type' | 'mark'> => ({
  path,
  type: 'file',
  mark: mark.repeat(32),
})

beforeEach(() => localStorage.clear())

it('keeps a mark for the next visit, and drops it when the file changes', () => {
  writeMarks('/w/a 1', setViewed(readMarks('/w/a 1'), file('/a', 'aa'), true))
  const marks = readMarks('/w/a 1')
  expect(isViewed(marks, file('/a', 'aa'))).toBe(true)
  expect(isViewed(marks, file('/a', 'bb'))).toBe(false)
  expect(isViewed(marks, file('/b', 'aa'))).toBe(false)
  expect(isViewed(readMarks('/w/b 1'), file('/a', 'aa'))).toBe(false)
})

it('takes a mark back', () => {
  const marks = setViewed(readMarks('1'), file('/a', 'aa'), true)
  expect(isViewed(setViewed(marks, file('/a', 'aa'), false), file('/a', 'aa'))).toBe(false)
})

it('tells what is new and what has changed since the last visit, and nothing at the first', () => {
  expect(sinceLastVisit(readMarks('1'), file('/a', 'aa'))).toBe('same')
  writeMarks('1', setListed(readMarks('1'), [file('/a', 'aa'), file('/b', 'bb')]))
  const marks = readMarks('1')
  expect(sinceLastVisit(marks, file('/a', 'aa'))).toBe('same')
  expect(sinceLastVisit(marks, file('/b', 'cc'))).toBe('changed')
  expect(sinceLastVisit(marks, file('/c', 'cc'))).toBe('new')
})

it('keeps the marks of 10 drafts, and reads nothing from what is no mark', () => {
  for (let draft = 0; draft < 25; draft++)
    writeMarks(`${draft}`, setViewed(readMarks(`${draft}`), file('/a', 'aa'), true))
  const kept = Array.from({ length: 25 }, (_, draft) =>
    isViewed(readMarks(`${draft}`), file('/a', 'aa')),
  )
  expect(kept.filter(Boolean)).toHaveLength(10)
  expect(kept.slice(0, 5)).toEqual([false, false, false, false, false])
  localStorage.setItem('edgewise.console.viewed', '{"1":{"viewed":{"file /a":7},"listed":[]}}')
  expect(isViewed(readMarks('1'), file('/a', 'aa'))).toBe(false)
})
