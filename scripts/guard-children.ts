/** Guards the children of a program in Node that loads this module first, see `child-guard.ts`. @module */

import { guardChildren } from './child-guard.ts'

guardChildren()
