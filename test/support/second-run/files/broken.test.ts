throw new Error('never loads')
