/** A text of Agendash’s script, and its replacement. */
type ScriptChange = readonly [RegExp | string, string];

/** Keeps rows, selected jobs and buttons during a refresh, when Agendash would replace or disable them. */
const refreshChanges: ScriptChange[] = [
  ['()=>n.jobs,()=>{o.value=[]}', '()=>n.jobs,v=>{o.value=o.value.filter(M=>v.some(b=>b.job._id===M))}'],
  ['loading:X(o),"filter-display"', 'loading:X(n).length===0,"filter-display"'],
  ['Ot.value=[],t("Failed to fetch jobs")', 't("Failed to fetch jobs")'],
  [/disabled:X\(s\),(title:"Refresh now",)?onClick:Rs/g, '$1onClick:Rs'],
  // Jobs would move while they run.
  [/M\.filter\(b=>(!?)b\.repeating\)/g, 'M.filter(b=>$1b.job.repeatInterval)'],
  // In Agendash, an error disappears after three seconds.
  ['s(r){e(r,"error")}', 's(r){e(r,"error",15e3)}'],
];

/** Turns controls into buttons and fields with names, so that keyboards and screen readers can use them. */
const elementChanges: ScriptChange[] = [
  ['title:"Refresh now"', '"aria-label":"Refresh now"'],
  ['title:"Job Data"', 'title:"Details"'],
  [
    /"span",\{(key:\d,)?class:"action-btn( text-danger)?[^"]*",title:"(\w+)[^"]*",onClick:R=>M\.\$emit\("([\w-]+)",y\)\},"[^"]+",8,\w+\)/g,
    '"button",{$1type:"button",class:"action-btn$2","aria-label":"$3 "+nameRun(y),onClick:R=>M.$$emit("$4",y)},"$3",16)',
  ],
  [
    'u("input",{type:"checkbox",checked:m(y),onChange:R=>c(y)},null,40,Bd)',
    'u("input",{type:"checkbox","aria-label":"Select "+nameRun(y),checked:m(y),onChange:R=>c(y)},null,48)',
  ],
  ['{type:"checkbox",checked:o.value', '{type:"checkbox","aria-label":"Select all jobs",checked:o.value'],
  [
    /u\("th",\{scope:"col",onClick:(b\[\d\]\|\|\(b\[\d\]=y=>a\("(\w+)"\)\))\},\[(b\[\d\]\|\|\(b\[\d\]=)Be\(" ([^"]+) ",-1\)\),(.+?):J\("",!0\)\]\)/g,
    'u("th",{scope:"col","aria-sort":r.value==="$2"?i.value+"ending":"none",onClick:$1},[$3u("button",{type:"button"},"$4",-1)),$5:J("",!0)],8,["aria-sort"])',
  ],
  [
    /"div",\{(key:0,)?class:fe\(\["(stats-summary-card|detail-row)/g,
    '"button",{$1type:"button",class:fe(["$2',
  ],
  [
    'u("div",{class:fe(["job-header ',
    'u("button",{type:"button","aria-expanded":m(C.displayName),class:fe(["job-header ',
  ],
  ['lc=["onClick"]', 'lc=["onClick","aria-expanded"]'],
  ['class:fe(["expand-icon"', '"aria-hidden":"true",class:fe(["expand-icon"'],
  // Only header cells have a scope.
  [/scope:"row",?/g, ''],
  [
    /\{class:"modal-container",/g,
    '{class:"modal-container",role:"dialog","aria-modal":"true","aria-labelledby":"dialog-title",tabindex:"-1",',
  ],
  [/u\("h[45]",/g, 'u("h2",'],
  [/\{class:"modal-title"\}/g, '{class:"modal-title",id:"dialog-title"}'],
  [/class:"(btn-close[^"]*)"/g, 'class:"$1","aria-label":"Close"'],
  [
    '{class:fe(["sidebar-mobile"',
    '{role:"dialog","aria-modal":"true","aria-label":"Menu",class:fe(["sidebar-mobile"',
  ],
  ['{class:"sidebar-mobile-close"', '{type:"button","aria-label":"Close menu",class:"sidebar-mobile-close"'],
  ['{class:"mobile-menu-btn', '{type:"button","aria-label":"Menu",class:"mobile-menu-btn'],
  ['{class:"toast-container"}', '{class:"toast-container",role:"status"}'],
  ['placeholder:"job name"', '"aria-label":"Name"'],
  ['{id:"selectStateInput"', '{id:"selectStateInput","aria-label":"State"'],
];

/** Removes controls that do nothing or the wrong thing. */
const removals: ScriptChange[] = [
  // Agenda’s stores ignore these filters.
  [/,u\("div",Ic,.+?"Is ObjectId\?",-1\)\)\]\)\]\)/, ''],
  // The list is divided into pages of 50 jobs, whatever this field contains.
  [/u\("div",Hc,.+?\{number:!0\}\]\]\)\]\),/, ''],
  // Agenda’s logs are off.
  ['C.displayName!=="All Jobs"?', 'false?'],
  [/u\("button",\{class:fe\(\["tab-btn",\{active:r\.value==="logs"\}.+?" Logs ",2\),/, ''],
  [/,u\("div",Yg,\[.+?re\(No\)\]\)/, ''],
  // A job that the service does not know never runs, and "Requeue" runs the others.
  [/u\("button",\{class:"btn btn-success btn-sm w-100 mb-3",.+?" \+ New Job "\),/, ''],
];

/** Dialogs state which jobs they change and what happens. Enter confirms them only on the button. */
const dialogChanges: ScriptChange[] = [
  ['l.key==="Enter"?(l.preventDefault(),s("confirm")):', ''],
  [/`(\w+) job '\$\{K\.value\.job\.name\}'\?[^`]*`/g, 'askAboutJob("$1",K.value)'],
  [
    /`(\w+) \$\{we\.value\.length\} selected jobs\?[^`]*`,/g,
    'askAboutJobs("$1",we.value,X(t)),details:listNames(we.value,X(t)),',
  ],
  [/"confirm-text":"(\w+) All"/g, '"confirm-text":"$1 "+countJobs(we.value)'],
  [
    /\{label:"Name",value:K\.value\.job\.name\}/g,
    '{label:"Next run",value:formatTime(K.value.job.nextRunAt)||"Not scheduled"}',
  ],
  // Agendash formats both days and months as numbers.
  ['function kn(e){', 'function kn(e){return formatTime(e);'],
];

const changes = [...refreshChanges, ...elementChanges, ...removals, ...dialogChanges];

/** Returns the script with our changes, and the searched texts that this version of Agendash does not contain. */
export function changeAgendash(script: string): { script: string; unmatchedChanges: string[] } {
  const imports =
    'import{askAboutJob,askAboutJobs,countJobs,formatTime,listNames,nameRun}from"./job-names.js";';
  const unmatchedChanges: string[] = [];
  const changed = changes.reduce((previous, [text, replacement]) => {
    const result =
      typeof text === 'string'
        ? previous.replaceAll(text, () => replacement)
        : previous.replace(text, replacement);
    if (result === previous) unmatchedChanges.push(String(text));
    return result;
  }, `${imports}${script}`);
  return { script: changed, unmatchedChanges };
}
