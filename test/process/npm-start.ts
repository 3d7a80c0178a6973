import packageJson from '../../package.json' with { type: 'json' };

/** The arguments with which `npm start` runs Node. */
export const npmStartArguments = packageJson.scripts.start.replace(/^exec node /, '').split(' ');
