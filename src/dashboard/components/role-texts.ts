export const roleTexts = {
  owner: { name: 'Owner', text: 'full access, including money, keys and users.' },
  developer: {
    name: 'Developer',
    text: 'full access in the sandbox. In live mode, no access to money, API keys or users.',
  },
  support: { name: 'Support', text: 'sees everything, creates links and cancels charges.' },
  operator: { name: 'Operator', text: 'runs this server and does not act for any merchant.' },
};
