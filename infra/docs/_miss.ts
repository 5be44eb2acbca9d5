import { apis } from '#infra/gateway/apis.ts';
import { jsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import { fieldsIn, SEGMENTS } from '#infra/gateway/reference/describedSchemas.ts';
import { findFieldText, fieldSources } from '#infra/gateway/reference/fieldTexts.ts';
const only=process.argv[2]; const cut=Number(process.argv[3]??400);
const short=(s:any):string=>{ if(s.const!==undefined)return JSON.stringify(s.const); if(s.enum)return s.enum.slice(0,8).join('/'); const v=s.anyOf??s.oneOf; if(v)return v.map(short).filter((x:string,i:number,a:string[])=>a.indexOf(x)===i).join('|').slice(0,60); const t=s.type==='array'?short(s.items??{})+'[]':s.type==='object'?(s.properties?'{}':'map<'+(s.additionalProperties?short(s.additionalProperties):'')+'>'):s.type??'any'; return t+(s.maxLength?`≤${s.maxLength}`:'')+(s.minimum!=null&&Math.abs(s.minimum)<1e15?`≥${s.minimum}`:'')+(s.maximum!=null&&Math.abs(s.maximum)<1e15?`≤${s.maximum}`:'')+(s.format?`:${s.format}`:'')+(s.default!==undefined?`=${s.default}`:'')}
let total=0,missing=0; const used=new Set<string>(); const groups=new Map<string,{paths:string[],names:Map<string,string>}>();
const ops=apis.flatMap(a=>a.operations);
for(const o of ops){ for(const place of ['body','query','headers','output','streams'] as const){ const sc=(o as any)[place]; if(!sc)continue; const isIn=place!=='output'&&place!=='streams'; const js=jsonSchema(sc,isIn?'input':'output');
 for(const {path,schema} of fieldsIn(js,[SEGMENTS[place]])){ total++; if(only&&o.group!==only)continue; if((place==='query'||place==='headers')&&path.length===2)continue; const f=findFieldText(o,path); if(f){used.add(f.source);continue} missing++;
  const cont=path.slice(0,-1); const key=o.group+' '+(cont.length===1?o.name+'.'+cont[0]:cont.slice(1).slice(-3).join('.')); const g=groups.get(key)??{paths:[],names:new Map()}; g.paths.push(o.name); if(!g.names.has(path.at(-1)!))g.names.set(path.at(-1)!,short(schema)); groups.set(key,g);
 }}}
let out=`${missing} missing of ${total}\n`+[...groups].map(([k,g])=>`${k} <${[...new Set(g.paths)].slice(0,3).join(',')}> ${[...g.names].map(([n,t])=>n+':'+t).join('; ')}`).join('\n');
console.log(out);
const unused=fieldSources(ops).filter(s=>!used.has(s)&&(!only||s.startsWith(only)||s.startsWith('every')));
console.log('UNUSED',unused.length,unused.slice(0,60));
