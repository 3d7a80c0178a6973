/** A text of Agendash’s script, and its replacement. */
type ScriptChange = readonly [RegExp | string, string];

/** Keeps rows, selected jobs and buttons while the list is refreshed. Agendash replaced or disabled them. */
const refreshChanges: ScriptChange[] = [
  ['()=>n.jobs,()=>{o.value=[]}', '()=>n.jobs,v=>{o.value=o.value.filter(M=>v.some(b=>b.job._id===M))}'],
  ['loading:X(o),"filter-display"', 'loading:X(n).length===0,"filter-display"'],
  ['Ot.value=[],t("Failed to fetch jobs")', 't("Failed to fetch jobs")'],
  ['disabled:X(s),title:"Refresh now",', ''],
  ['[X(s)?(w(),x("span",np)):(w(),x("span",sp,"↻"))]', '"Refresh"'],
  ['class:"btn btn-sm btn-outline-secondary",disabled:X(s),', 'class:"btn btn-sm btn-outline-secondary",'],
  ['[X(s)?(w(),x("span",up)):(w(),x("span",cp,"↻")),Be(" Refresh ("+P(W.value)+"s) ",1)]', '"Refresh"'],
  [',u("small",null,P(W.value)+"s",1)', ''],
  // Jobs would move while they run.
  [/M\.filter\(b=>(!?)b\.repeating\)/g, 'M.filter(b=>$1b.job.repeatInterval)'],
  // Rows would change their height while jobs run.
  ['y.repeating?(', 'y.repeating&&!y.running&&!y.paused?('],
  ['[u("span",null,P(y.job.repeatInterval),1)]', '[u("span",null,"Repeating")]'],
  [
    '{class:"job-name",onClick',
    '{class:"job-name","data-interval":y.job.repeatInterval&&"Every "+y.job.repeatInterval,onClick',
  ],
];

/** Buttons and fields that the keyboard reaches, with a name. They were elements without a role. */
const elementChanges: ScriptChange[] = [
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
  // Only header cells have a scope.
  [/scope:"row",?/g, ''],
  ['lc=["onClick"]', 'lc=["onClick","aria-expanded"]'],
  ['class:fe(["expand-icon"', '"aria-hidden":"true",class:fe(["expand-icon"'],
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
  ['onNewJob:H[0]||(H[0]=me=>F.value=!0)', 'onNewJob:H[0]||(H[0]=me=>{h(),F.value=!0})'],
  ['{class:"toast-container"}', '{class:"toast-container",role:"status"}'],
];

/** Removes the filters that Agenda’s stores ignore, paging by another size, which is wrong, and logs, which are off. */
const filterChanges: ScriptChange[] = [
  [
    /g\[6\]\|\|\(g\[6\]=u\("span",\{class:"input-group-text"\},"Name".+?"Value",-1\)\)/,
    'g[9]||(g[9]=u("label",{class:"input-group-text",for:"nameFilter"},"Name contains",-1))',
  ],
  [
    /v=>i\.value=v\),class:"form-control",placeholder:"green"/,
    'v=>i.value=v),id:"nameFilter",class:"form-control"',
  ],
  [/,u\("div",Jc,.+?"Is ObjectId\?",-1\)\)\]\)/, ''],
  [/u\("div",Hc,.+?\{number:!0\}\]\]\)\]\),/, ''],
  [
    'u("span",{class:"input-group-text"},"State"',
    'u("label",{class:"input-group-text",for:"selectStateInput"},"State"',
  ],
  [
    '{text:"Repeating",value:"repeating",class:"text-info"}',
    '{text:"Repeating",value:"repeating"},{text:"Paused",value:"paused"}',
  ],
  ['C.displayName!=="All Jobs"?', 'false?'],
  ['y.push(pt.value.state),', 'y.push(pt.value.state),pt.value.search&&y.push(pt.value.search),'],
  ['y.join(" / "):"All Jobs"', 'y.join(" / "):""'],
  [/u\("button",\{class:fe\(\["tab-btn",\{active:r\.value==="logs"\}.+?" Logs ",2\),/, ''],
  [/,u\("div",Yg,\[.+?re\(No\)\]\)/, ''],
];

/** Dialogs say which job they change and what happens, and only a button confirms. Enter confirmed everywhere. */
const dialogChanges: ScriptChange[] = [
  ['l.key==="Enter"?(l.preventDefault(),s("confirm")):', ''],
  [/`(\w+) job '\$\{K\.value\.job\.name\}'\?[^`]*`/g, 'askAboutJob("$1",K.value)'],
  [/title:"(\w+) Job",/g, 'title:"$1 job",'],
  [
    /`(\w+) \$\{we\.value\.length\} selected jobs\?[^`]*`,/g,
    'askAboutJobs("$1",we.value,X(t)),details:listNames(we.value,X(t)),',
  ],
  [/title:"(\w+) Multiple Jobs",/g, 'title:"$1 jobs",'],
  [/"confirm-text":"(\w+) All"/g, '"confirm-text":"$1 "+countJobs(we.value)'],
  [
    /\{label:"Name",value:K\.value\.job\.name\}/g,
    '{label:"Next run",value:kn(K.value.job.nextRunAt)||"Not scheduled"}',
  ],
  [/(\{label:"Data",value:Mt\(K\.value\.job\.data\),type:"json"\})/g, '...K.value.job.data==null?[]:[$1]'],
  [
    /throw new Error\(`HTTP error! status: [^)]+\)/,
    'throw new Error((await n.json().catch(()=>({}))).detail??"status "+n.status)',
  ],
  [/console\.error\("(Failed to \w+ jobs?):",(\w)\),t\("[^"]+"\)/g, 't("$1: "+$2.message)'],
  ['s(r){e(r,"error")}', 's(r){e(r,"error",15e3)}'],
];

const textChanges: ScriptChange[] = [
  [' + New Job ', 'New job'],
  ['"Create Job"', '"Create job"'],
  [' Create Job ', 'Create job'],
  ['"Job Name "', '"Name of the job "'],
  [
    /'Human interval: [^']+'/,
    '\'For example "in 5 minutes" or "tomorrow at 9am". Without it, the job runs now.\'',
  ],
  ['"Repeat Every"', '"Repeat every"'],
  ['"Job Data (JSON)"', '"Data (JSON)"'],
  ['e.g., send-email', 'e.g., send-mail'],
  [/"Agenda Status"/g, '"Job runner"'],
  ['name||"All Jobs"', 'name||"All jobs"'],
  ['P(o.value.length)+" jobs selected"', 'countJobs(o.value)+" selected"'],
  [/title:"(?:\w+) list of selected[^"]*",/g, ''],
  [/" Multiple (\w+) "/g, '"$1 selected"'],
  [/e\("(Jobs?) (\w+) successfully"\)/g, 'e("$1 $2")'],
  ['"Repeat Interval"', '"Repeats every"'],
  ['"Job Data"', '"Data"'],
  [' Raw Data ', ' Raw data '],
  ['"Fail Count"', '"Failed runs"'],
  ['"Failed At"', '"Failed at"'],
  ['"Loading Jobs..."', '"Loading jobs…"'],
  ['"🔍"', '""'],
  ['P(C.displayName),3)', 'P(C.displayName.replace("All Jobs","All jobs")),3)'],
  ['Try adjusting your filter criteria', 'Change the filter, or select All jobs.'],
  ['function kn(e){', 'function kn(e){return formatTime(e);'],
];

const changes = [...refreshChanges, ...elementChanges, ...filterChanges, ...dialogChanges, ...textChanges];

/** Throws if a text is missing, because another version of Agendash needs other changes. */
export function changeAgendash(script: string): string {
  const imports =
    'import{askAboutJob,askAboutJobs,countJobs,formatTime,listNames,nameRun}from"./job-names.js";';
  return changes.reduce((changed, [text, replacement]) => {
    const result =
      typeof text === 'string'
        ? changed.replaceAll(text, () => replacement)
        : changed.replace(text, replacement);
    if (result === changed) throw new Error(`Agendash’s script does not contain ${text}`);
    return result;
  }, `${imports}${script}`);
}
