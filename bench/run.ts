if (process.argv[2] === 'compare') await import('./compare/run.ts')
else await import('./benchmarks.ts')
