/** Roles in words, and what each is for. */
export const roleTexts = {
  owner: { name: 'Owner', text: 'everything, money, keys and users too.' },
  developer: { name: 'Developer', text: 'everything in the sandbox; live, no money, keys or users.' },
  support: { name: 'Support', text: 'sees everything, makes links, cancels charges.' },
  operator: { name: 'Operator', text: 'runs this service; acts for no merchant.' },
};
