/** A placeholder until the view stands. @module */

export {}
