/** The page that all files of the browser project share: empty before each file, and without frames after each test. @module */

import { afterEach, beforeAll, beforeEach, vi } from 'vitest'
import { closeFrames } from './host-frame.ts'

// What another file has left would push frames out of sight, where they draw nothing.
beforeAll(() => document.body.replaceChildren())

// The official classes log every message there.
beforeEach(() => void vi.spyOn(console, 'debug').mockImplementation(() => {}))

afterEach(closeFrames)

// The frame of a test does not have the focus by itself, and no button decides without it.
beforeEach(() => window.focus())
