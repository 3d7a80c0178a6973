import packageJson from '../../package.json' with { type: 'json' };

/** What `npm start` calls Node with. */
export const npmStartArguments = packageJson.scripts.start.replace(/^exec node /, '').split(' ');
