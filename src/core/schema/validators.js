// Written by `node scripts/schemas.mjs` from scripts/schemas with ajv; not to be changed by hand.

// A number that a float would change arrives as raw JSON (src/core/json/exact.ts); it is an object to typeof.
const isAbsent = (value) => value === null || value === undefined;
const isObject = (value) => isAbsent(value) || (typeof value === 'object' && !Array.isArray(value) && !JSON.isRawJSON(value));
const isList = (value) => isAbsent(value) || Array.isArray(value);
const isText = (value) => isAbsent(value) || typeof value === 'string';
const isFlag = (value) => isAbsent(value) || typeof value === 'boolean';
const isWhole = (value, digits) => typeof value === 'object' && JSON.isRawJSON(value) && value.rawJSON.length <= 20 && digits.test(value.rawJSON);
const isU64 = (value) => isAbsent(value) || (typeof value === 'number' ? Number.isInteger(value) && value >= 0 && value < 2 ** 64 : isWhole(value, /^\d+$/) && BigInt(value.rawJSON) < 2n ** 64n);
const isI64 = (value) => isAbsent(value) || (typeof value === 'number' ? Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63 : isWhole(value, /^-?\d+$/) && BigInt.asIntN(64, BigInt(value.rawJSON)) === BigInt(value.rawJSON));

export const cassette = validate0;
function validate0(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!isObject(data)){
this.wrong(instancePath, data, "object");
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.schemaVersion !== undefined){
let data0 = data.schemaVersion;
if(!isI64(data0)){
this.wrong(instancePath+"/schemaVersion", data0, "i64");
}
}
if(data.stateFormat !== undefined){
let data1 = data.stateFormat;
if(!isText(data1)){
this.wrong(instancePath+"/stateFormat", data1, "text");
}
}
if(data.id !== undefined){
let data2 = data.id;
if(!isText(data2)){
this.wrong(instancePath+"/id", data2, "text");
}
}
if(data.name !== undefined){
let data3 = data.name;
if(!isText(data3)){
this.wrong(instancePath+"/name", data3, "text");
}
}
if(data.sourceRecordingId !== undefined){
let data4 = data.sourceRecordingId;
if(!isText(data4)){
this.wrong(instancePath+"/sourceRecordingId", data4, "text");
}
}
if(data.agentTargetId !== undefined){
let data5 = data.agentTargetId;
if(!isText(data5)){
this.wrong(instancePath+"/agentTargetId", data5, "text");
}
}
if(data.replayPrerequisites !== undefined){
let data6 = data.replayPrerequisites;
if(!isObject(data6)){
this.wrong(instancePath+"/replayPrerequisites", data6, "object");
}
if(data6 && typeof data6 == "object" && !Array.isArray(data6)){
if(data6.composerDefaults !== undefined){
let data7 = data6.composerDefaults;
if(!isObject(data7)){
this.wrong(instancePath+"/replayPrerequisites/composerDefaults", data7, "object");
}
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
if(data7.model !== undefined){
let data8 = data7.model;
if(!isText(data8)){
this.wrong(instancePath+"/replayPrerequisites/composerDefaults/model", data8, "text");
}
}
if(data7.permissionModeId !== undefined){
let data9 = data7.permissionModeId;
if(!isText(data9)){
this.wrong(instancePath+"/replayPrerequisites/composerDefaults/permissionModeId", data9, "text");
}
}
if(data7.reasoningEffort !== undefined){
let data10 = data7.reasoningEffort;
if(!isText(data10)){
this.wrong(instancePath+"/replayPrerequisites/composerDefaults/reasoningEffort", data10, "text");
}
}
if(data7.speed !== undefined){
let data11 = data7.speed;
if(!isText(data11)){
this.wrong(instancePath+"/replayPrerequisites/composerDefaults/speed", data11, "text");
}
}
}
}
}
}
if(data.rootAgentSessionId !== undefined){
let data12 = data.rootAgentSessionId;
if(!isText(data12)){
this.wrong(instancePath+"/rootAgentSessionId", data12, "text");
}
}
if(data.mode !== undefined){
let data13 = data.mode;
if(!isText(data13)){
this.wrong(instancePath+"/mode", data13, "text");
}
}
if(data.totalBytes !== undefined){
let data14 = data.totalBytes;
if(!isI64(data14)){
this.wrong(instancePath+"/totalBytes", data14, "i64");
}
}
if(data.maxTotalBytes !== undefined){
let data15 = data.maxTotalBytes;
if(!isI64(data15)){
this.wrong(instancePath+"/maxTotalBytes", data15, "i64");
}
}
if(data.files !== undefined){
let data16 = data.files;
if(!isList(data16)){
this.wrong(instancePath+"/files", data16, "list");
}
if(Array.isArray(data16)){
const len0 = data16.length;
for(let i0=0; i0<len0; i0++){
let data17 = data16[i0];
if(!isObject(data17)){
this.wrong(instancePath+"/files/" + i0, data17, "object");
}
if(data17 && typeof data17 == "object" && !Array.isArray(data17)){
if(data17.path !== undefined){
let data18 = data17.path;
if(!isText(data18)){
this.wrong(instancePath+"/files/" + i0+"/path", data18, "text");
}
}
if(data17.role !== undefined){
let data19 = data17.role;
if(!isText(data19)){
this.wrong(instancePath+"/files/" + i0+"/role", data19, "text");
}
}
if(data17.sizeBytes !== undefined){
let data20 = data17.sizeBytes;
if(!isI64(data20)){
this.wrong(instancePath+"/files/" + i0+"/sizeBytes", data20, "i64");
}
}
if(data17.sha256 !== undefined){
let data21 = data17.sha256;
if(!isText(data21)){
this.wrong(instancePath+"/files/" + i0+"/sha256", data21, "text");
}
}
}
}
}
}
if(data.createdAtUnixMs !== undefined){
let data22 = data.createdAtUnixMs;
if(!isI64(data22)){
this.wrong(instancePath+"/createdAtUnixMs", data22, "i64");
}
}
}
validate0.errors = vErrors;
return errors === 0;
}
export const activityEvent = validate1;
function validate1(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!isObject(data)){
this.wrong(instancePath, data, "object");
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.schemaVersion !== undefined){
let data0 = data.schemaVersion;
if(!isI64(data0)){
this.wrong(instancePath+"/schemaVersion", data0, "i64");
}
}
if(data.sequence !== undefined){
let data1 = data.sequence;
if(!isU64(data1)){
this.wrong(instancePath+"/sequence", data1, "u64");
}
}
if(data.kind !== undefined){
let data2 = data.kind;
if(!isText(data2)){
this.wrong(instancePath+"/kind", data2, "text");
}
}
if(data.type !== undefined){
let data3 = data.type;
if(!isText(data3)){
this.wrong(instancePath+"/type", data3, "text");
}
}
if(data.eventId !== undefined){
let data4 = data.eventId;
if(!isText(data4)){
this.wrong(instancePath+"/eventId", data4, "text");
}
}
if(data.correlationId !== undefined){
let data5 = data.correlationId;
if(!isText(data5)){
this.wrong(instancePath+"/correlationId", data5, "text");
}
}
if(data.causedByEventId !== undefined){
let data6 = data.causedByEventId;
if(!isText(data6)){
this.wrong(instancePath+"/causedByEventId", data6, "text");
}
}
if(data.agentSessionId !== undefined){
let data7 = data.agentSessionId;
if(!isText(data7)){
this.wrong(instancePath+"/agentSessionId", data7, "text");
}
}
if(data.payload !== undefined){
let data8 = data.payload;
if(!isObject(data8)){
this.wrong(instancePath+"/payload", data8, "object");
}
}
if(data.occurredAtUnixMs !== undefined){
let data9 = data.occurredAtUnixMs;
if(!isI64(data9)){
this.wrong(instancePath+"/occurredAtUnixMs", data9, "i64");
}
}
}
validate1.errors = vErrors;
return errors === 0;
}
export const plan = validate2;
function validate3(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!isObject(data)){
this.wrong(instancePath, data, "object");
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.connectionId !== undefined){
let data0 = data.connectionId;
if(!isText(data0)){
this.wrong(instancePath+"/connectionId", data0, "text");
}
}
if(data.chunkSeq !== undefined){
let data1 = data.chunkSeq;
if(!isU64(data1)){
this.wrong(instancePath+"/chunkSeq", data1, "u64");
}
}
if(data.unitIndex !== undefined){
let data2 = data.unitIndex;
if(!isU64(data2)){
this.wrong(instancePath+"/unitIndex", data2, "u64");
}
}
}
validate3.errors = vErrors;
return errors === 0;
}
function validate5(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!isObject(data)){
this.wrong(instancePath, data, "object");
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.connectionId !== undefined){
let data0 = data.connectionId;
if(!isText(data0)){
this.wrong(instancePath+"/connectionId", data0, "text");
}
}
if(data.chunkSeq !== undefined){
let data1 = data.chunkSeq;
if(!isU64(data1)){
this.wrong(instancePath+"/chunkSeq", data1, "u64");
}
}
if(data.unitIndex !== undefined){
let data2 = data.unitIndex;
if(!isU64(data2)){
this.wrong(instancePath+"/unitIndex", data2, "u64");
}
}
if(data.eventIndex !== undefined){
let data3 = data.eventIndex;
if(!isU64(data3)){
this.wrong(instancePath+"/eventIndex", data3, "u64");
}
}
}
validate5.errors = vErrors;
return errors === 0;
}
function validate7(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!isObject(data)){
this.wrong(instancePath, data, "object");
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kind !== undefined){
let data0 = data.kind;
if(!isText(data0)){
this.wrong(instancePath+"/kind", data0, "text");
}
}
if(data.origin !== undefined){
let data1 = data.origin;
if(!isObject(data1)){
this.wrong(instancePath+"/origin", data1, "object");
}
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.source !== undefined){
let data2 = data1.source;
if(!isText(data2)){
this.wrong(instancePath+"/origin/source", data2, "text");
}
}
if(data1.initialStatePath !== undefined){
let data3 = data1.initialStatePath;
if(!isText(data3)){
this.wrong(instancePath+"/origin/initialStatePath", data3, "text");
}
}
if(data1.activityEventSequence !== undefined){
let data4 = data1.activityEventSequence;
if(!isU64(data4)){
this.wrong(instancePath+"/origin/activityEventSequence", data4, "u64");
}
}
if(data1.providerObservation !== undefined){
if(!(validate5.call(this, data1.providerObservation, {instancePath:instancePath+"/origin/providerObservation",parentData:data1,parentDataProperty:"providerObservation",rootData}))){
vErrors = vErrors === null ? validate5.errors : vErrors.concat(validate5.errors);
errors = vErrors.length;
}
}
}
}
if(data.discriminator !== undefined){
let data6 = data.discriminator;
if(!isText(data6)){
this.wrong(instancePath+"/discriminator", data6, "text");
}
}
}
validate7.errors = vErrors;
return errors === 0;
}
function validate2(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!isObject(data)){
this.wrong(instancePath, data, "object");
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.schemaVersion !== undefined){
let data0 = data.schemaVersion;
if(!isI64(data0)){
this.wrong(instancePath+"/schemaVersion", data0, "i64");
}
}
if(data.cassetteSchemaVersion !== undefined){
let data1 = data.cassetteSchemaVersion;
if(!isI64(data1)){
this.wrong(instancePath+"/cassetteSchemaVersion", data1, "i64");
}
}
if(data.observationSchemaVersion !== undefined){
let data2 = data.observationSchemaVersion;
if(!isI64(data2)){
this.wrong(instancePath+"/observationSchemaVersion", data2, "i64");
}
}
if(data.checkpoints !== undefined){
let data3 = data.checkpoints;
if(!isList(data3)){
this.wrong(instancePath+"/checkpoints", data3, "list");
}
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
if(!isObject(data4)){
this.wrong(instancePath+"/checkpoints/" + i0, data4, "object");
}
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.id !== undefined){
let data5 = data4.id;
if(!isText(data5)){
this.wrong(instancePath+"/checkpoints/" + i0+"/id", data5, "text");
}
}
if(data4.index !== undefined){
let data6 = data4.index;
if(!isI64(data6)){
this.wrong(instancePath+"/checkpoints/" + i0+"/index", data6, "i64");
}
}
if(data4.kind !== undefined){
let data7 = data4.kind;
if(!isText(data7)){
this.wrong(instancePath+"/checkpoints/" + i0+"/kind", data7, "text");
}
}
if(data4.tags !== undefined){
let data8 = data4.tags;
if(!isList(data8)){
this.wrong(instancePath+"/checkpoints/" + i0+"/tags", data8, "list");
}
if(Array.isArray(data8)){
const len1 = data8.length;
for(let i1=0; i1<len1; i1++){
let data9 = data8[i1];
if(!isText(data9)){
this.wrong(instancePath+"/checkpoints/" + i0+"/tags/" + i1, data9, "text");
}
}
}
}
if(data4.cursor !== undefined){
let data10 = data4.cursor;
if(!isObject(data10)){
this.wrong(instancePath+"/checkpoints/" + i0+"/cursor", data10, "object");
}
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
if(data10.activityEventSequence !== undefined){
let data11 = data10.activityEventSequence;
if(!isU64(data11)){
this.wrong(instancePath+"/checkpoints/" + i0+"/cursor/activityEventSequence", data11, "u64");
}
}
if(data10.providerConnections !== undefined){
let data12 = data10.providerConnections;
if(!isList(data12)){
this.wrong(instancePath+"/checkpoints/" + i0+"/cursor/providerConnections", data12, "list");
}
if(Array.isArray(data12)){
const len2 = data12.length;
for(let i2=0; i2<len2; i2++){
if(!(validate3.call(this, data12[i2], {instancePath:instancePath+"/checkpoints/" + i0+"/cursor/providerConnections/" + i2,parentData:data12,parentDataProperty:i2,rootData}))){
vErrors = vErrors === null ? validate3.errors : vErrors.concat(validate3.errors);
errors = vErrors.length;
}
}
}
}
}
}
if(data4.trigger !== undefined){
let data14 = data4.trigger;
if(!isObject(data14)){
this.wrong(instancePath+"/checkpoints/" + i0+"/trigger", data14, "object");
}
if(data14 && typeof data14 == "object" && !Array.isArray(data14)){
if(data14.source !== undefined){
let data15 = data14.source;
if(!isText(data15)){
this.wrong(instancePath+"/checkpoints/" + i0+"/trigger/source", data15, "text");
}
}
if(data14.afterActivityEventSequence !== undefined){
let data16 = data14.afterActivityEventSequence;
if(!isU64(data16)){
this.wrong(instancePath+"/checkpoints/" + i0+"/trigger/afterActivityEventSequence", data16, "u64");
}
}
if(data14.boundaryKind !== undefined){
let data17 = data14.boundaryKind;
if(!isText(data17)){
this.wrong(instancePath+"/checkpoints/" + i0+"/trigger/boundaryKind", data17, "text");
}
}
if(data14.position !== undefined){
if(!(validate5.call(this, data14.position, {instancePath:instancePath+"/checkpoints/" + i0+"/trigger/position",parentData:data14,parentDataProperty:"position",rootData}))){
vErrors = vErrors === null ? validate5.errors : vErrors.concat(validate5.errors);
errors = vErrors.length;
}
}
if(data14.unitKind !== undefined){
let data19 = data14.unitKind;
if(!isText(data19)){
this.wrong(instancePath+"/checkpoints/" + i0+"/trigger/unitKind", data19, "text");
}
}
if(data14.type !== undefined){
let data20 = data14.type;
if(!isText(data20)){
this.wrong(instancePath+"/checkpoints/" + i0+"/trigger/type", data20, "text");
}
}
if(data14.fingerprint !== undefined){
let data21 = data14.fingerprint;
if(!isText(data21)){
this.wrong(instancePath+"/checkpoints/" + i0+"/trigger/fingerprint", data21, "text");
}
}
}
}
if(data4.subjects !== undefined){
let data22 = data4.subjects;
if(!isList(data22)){
this.wrong(instancePath+"/checkpoints/" + i0+"/subjects", data22, "list");
}
if(Array.isArray(data22)){
const len3 = data22.length;
for(let i3=0; i3<len3; i3++){
if(!(validate7.call(this, data22[i3], {instancePath:instancePath+"/checkpoints/" + i0+"/subjects/" + i3,parentData:data22,parentDataProperty:i3,rootData}))){
vErrors = vErrors === null ? validate7.errors : vErrors.concat(validate7.errors);
errors = vErrors.length;
}
}
}
}
if(data4.readiness !== undefined){
let data24 = data4.readiness;
if(!isObject(data24)){
this.wrong(instancePath+"/checkpoints/" + i0+"/readiness", data24, "object");
}
if(data24 && typeof data24 == "object" && !Array.isArray(data24)){
if(data24.all !== undefined){
let data25 = data24.all;
if(!isList(data25)){
this.wrong(instancePath+"/checkpoints/" + i0+"/readiness/all", data25, "list");
}
if(Array.isArray(data25)){
const len4 = data25.length;
for(let i4=0; i4<len4; i4++){
let data26 = data25[i4];
if(!isObject(data26)){
this.wrong(instancePath+"/checkpoints/" + i0+"/readiness/all/" + i4, data26, "object");
}
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if(data26.type !== undefined){
let data27 = data26.type;
if(!isText(data27)){
this.wrong(instancePath+"/checkpoints/" + i0+"/readiness/all/" + i4+"/type", data27, "text");
}
}
if(data26.subject !== undefined){
let data28 = data26.subject;
if(!isI64(data28)){
this.wrong(instancePath+"/checkpoints/" + i0+"/readiness/all/" + i4+"/subject", data28, "i64");
}
}
if(data26.equals !== undefined){
let data29 = data26.equals;
if(!isText(data29)){
this.wrong(instancePath+"/checkpoints/" + i0+"/readiness/all/" + i4+"/equals", data29, "text");
}
}
}
}
}
}
}
}
}
}
}
}
}
validate2.errors = vErrors;
return errors === 0;
}
export const journalEntry = validate10;
function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!isObject(data)){
this.wrong(instancePath, data, "object");
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.connectionId !== undefined){
let data0 = data.connectionId;
if(!isText(data0)){
this.wrong(instancePath+"/connectionId", data0, "text");
}
}
if(data.chunkSeq !== undefined){
let data1 = data.chunkSeq;
if(!isU64(data1)){
this.wrong(instancePath+"/chunkSeq", data1, "u64");
}
}
if(data.unitIndex !== undefined){
let data2 = data.unitIndex;
if(!isU64(data2)){
this.wrong(instancePath+"/unitIndex", data2, "u64");
}
}
}
validate11.errors = vErrors;
return errors === 0;
}
function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!isObject(data)){
this.wrong(instancePath, data, "object");
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.connectionId !== undefined){
let data0 = data.connectionId;
if(!isText(data0)){
this.wrong(instancePath+"/connectionId", data0, "text");
}
}
if(data.chunkSeq !== undefined){
let data1 = data.chunkSeq;
if(!isU64(data1)){
this.wrong(instancePath+"/chunkSeq", data1, "u64");
}
}
if(data.unitIndex !== undefined){
let data2 = data.unitIndex;
if(!isU64(data2)){
this.wrong(instancePath+"/unitIndex", data2, "u64");
}
}
if(data.eventIndex !== undefined){
let data3 = data.eventIndex;
if(!isU64(data3)){
this.wrong(instancePath+"/eventIndex", data3, "u64");
}
}
}
validate13.errors = vErrors;
return errors === 0;
}
function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!isObject(data)){
this.wrong(instancePath, data, "object");
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.kind !== undefined){
let data0 = data.kind;
if(!isText(data0)){
this.wrong(instancePath+"/kind", data0, "text");
}
}
if(data.origin !== undefined){
let data1 = data.origin;
if(!isObject(data1)){
this.wrong(instancePath+"/origin", data1, "object");
}
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.source !== undefined){
let data2 = data1.source;
if(!isText(data2)){
this.wrong(instancePath+"/origin/source", data2, "text");
}
}
if(data1.initialStatePath !== undefined){
let data3 = data1.initialStatePath;
if(!isText(data3)){
this.wrong(instancePath+"/origin/initialStatePath", data3, "text");
}
}
if(data1.activityEventSequence !== undefined){
let data4 = data1.activityEventSequence;
if(!isU64(data4)){
this.wrong(instancePath+"/origin/activityEventSequence", data4, "u64");
}
}
if(data1.providerObservation !== undefined){
if(!(validate13.call(this, data1.providerObservation, {instancePath:instancePath+"/origin/providerObservation",parentData:data1,parentDataProperty:"providerObservation",rootData}))){
vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
errors = vErrors.length;
}
}
}
}
if(data.discriminator !== undefined){
let data6 = data.discriminator;
if(!isText(data6)){
this.wrong(instancePath+"/discriminator", data6, "text");
}
}
}
validate15.errors = vErrors;
return errors === 0;
}
function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!isObject(data)){
this.wrong(instancePath, data, "object");
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.schemaVersion !== undefined){
let data0 = data.schemaVersion;
if(!isI64(data0)){
this.wrong(instancePath+"/schemaVersion", data0, "i64");
}
}
if(data.position !== undefined){
if(!(validate11.call(this, data.position, {instancePath:instancePath+"/position",parentData:data,parentDataProperty:"position",rootData}))){
vErrors = vErrors === null ? validate11.errors : vErrors.concat(validate11.errors);
errors = vErrors.length;
}
}
if(data.unitKind !== undefined){
let data2 = data.unitKind;
if(!isText(data2)){
this.wrong(instancePath+"/unitKind", data2, "text");
}
}
if(data.observations !== undefined){
let data3 = data.observations;
if(!isList(data3)){
this.wrong(instancePath+"/observations", data3, "list");
}
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
if(!isObject(data4)){
this.wrong(instancePath+"/observations/" + i0, data4, "object");
}
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.position !== undefined){
if(!(validate13.call(this, data4.position, {instancePath:instancePath+"/observations/" + i0+"/position",parentData:data4,parentDataProperty:"position",rootData}))){
vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
errors = vErrors.length;
}
}
if(data4.type !== undefined){
let data6 = data4.type;
if(!isText(data6)){
this.wrong(instancePath+"/observations/" + i0+"/type", data6, "text");
}
}
if(data4.fingerprint !== undefined){
let data7 = data4.fingerprint;
if(!isText(data7)){
this.wrong(instancePath+"/observations/" + i0+"/fingerprint", data7, "text");
}
}
if(data4.address !== undefined){
if(!(validate15.call(this, data4.address, {instancePath:instancePath+"/observations/" + i0+"/address",parentData:data4,parentDataProperty:"address",rootData}))){
vErrors = vErrors === null ? validate15.errors : vErrors.concat(validate15.errors);
errors = vErrors.length;
}
}
}
}
}
}
if(data.commitCorrelations !== undefined){
let data9 = data.commitCorrelations;
if(!isList(data9)){
this.wrong(instancePath+"/commitCorrelations", data9, "list");
}
if(Array.isArray(data9)){
const len1 = data9.length;
for(let i1=0; i1<len1; i1++){
let data10 = data9[i1];
if(!isObject(data10)){
this.wrong(instancePath+"/commitCorrelations/" + i1, data10, "object");
}
if(data10 && typeof data10 == "object" && !Array.isArray(data10)){
if(data10.id !== undefined){
let data11 = data10.id;
if(!isText(data11)){
this.wrong(instancePath+"/commitCorrelations/" + i1+"/id", data11, "text");
}
}
if(data10.kind !== undefined){
let data12 = data10.kind;
if(!isText(data12)){
this.wrong(instancePath+"/commitCorrelations/" + i1+"/kind", data12, "text");
}
}
if(data10.address !== undefined){
if(!(validate15.call(this, data10.address, {instancePath:instancePath+"/commitCorrelations/" + i1+"/address",parentData:data10,parentDataProperty:"address",rootData}))){
vErrors = vErrors === null ? validate15.errors : vErrors.concat(validate15.errors);
errors = vErrors.length;
}
}
if(data10.observationPosition !== undefined){
if(!(validate13.call(this, data10.observationPosition, {instancePath:instancePath+"/commitCorrelations/" + i1+"/observationPosition",parentData:data10,parentDataProperty:"observationPosition",rootData}))){
vErrors = vErrors === null ? validate13.errors : vErrors.concat(validate13.errors);
errors = vErrors.length;
}
}
if(data10.observationFingerprint !== undefined){
let data15 = data10.observationFingerprint;
if(!isText(data15)){
this.wrong(instancePath+"/commitCorrelations/" + i1+"/observationFingerprint", data15, "text");
}
}
if(data10.expected !== undefined){
let data16 = data10.expected;
if(!isText(data16)){
this.wrong(instancePath+"/commitCorrelations/" + i1+"/expected", data16, "text");
}
}
if(data10.confirmed !== undefined){
let data17 = data10.confirmed;
if(!isFlag(data17)){
this.wrong(instancePath+"/commitCorrelations/" + i1+"/confirmed", data17, "flag");
}
}
if(data10.transactionId !== undefined){
let data18 = data10.transactionId;
if(!isText(data18)){
this.wrong(instancePath+"/commitCorrelations/" + i1+"/transactionId", data18, "text");
}
}
}
}
}
}
}
validate10.errors = vErrors;
return errors === 0;
}
export const blobManifest = validate20;
function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!isObject(data)){
this.wrong(instancePath, data, "object");
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.schemaVersion !== undefined){
let data0 = data.schemaVersion;
if(!isI64(data0)){
this.wrong(instancePath+"/schemaVersion", data0, "i64");
}
}
if(data.blobs !== undefined){
let data1 = data.blobs;
if(!isList(data1)){
this.wrong(instancePath+"/blobs", data1, "list");
}
if(Array.isArray(data1)){
const len0 = data1.length;
for(let i0=0; i0<len0; i0++){
let data2 = data1[i0];
if(!isObject(data2)){
this.wrong(instancePath+"/blobs/" + i0, data2, "object");
}
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
if(data2.kind !== undefined){
let data3 = data2.kind;
if(!isText(data3)){
this.wrong(instancePath+"/blobs/" + i0+"/kind", data3, "text");
}
}
if(data2.sha256 !== undefined){
let data4 = data2.sha256;
if(!isText(data4)){
this.wrong(instancePath+"/blobs/" + i0+"/sha256", data4, "text");
}
}
if(data2.sizeBytes !== undefined){
let data5 = data2.sizeBytes;
if(!isI64(data5)){
this.wrong(instancePath+"/blobs/" + i0+"/sizeBytes", data5, "i64");
}
}
if(data2.agentSessionId !== undefined){
let data6 = data2.agentSessionId;
if(!isText(data6)){
this.wrong(instancePath+"/blobs/" + i0+"/agentSessionId", data6, "text");
}
}
if(data2.attachmentId !== undefined){
let data7 = data2.attachmentId;
if(!isText(data7)){
this.wrong(instancePath+"/blobs/" + i0+"/attachmentId", data7, "text");
}
}
if(data2.relativePath !== undefined){
let data8 = data2.relativePath;
if(!isText(data8)){
this.wrong(instancePath+"/blobs/" + i0+"/relativePath", data8, "text");
}
}
if(data2.mimeType !== undefined){
let data9 = data2.mimeType;
if(!isText(data9)){
this.wrong(instancePath+"/blobs/" + i0+"/mimeType", data9, "text");
}
}
}
}
}
}
}
validate20.errors = vErrors;
return errors === 0;
}
export const state = validate21;
function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(!isObject(data)){
this.wrong(instancePath, data, "object");
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.schemaVersion !== undefined){
let data0 = data.schemaVersion;
if(!isI64(data0)){
this.wrong(instancePath+"/schemaVersion", data0, "i64");
}
}
if(data.agent !== undefined){
let data1 = data.agent;
if(!isObject(data1)){
this.wrong(instancePath+"/agent", data1, "object");
}
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.rootSessionId !== undefined){
let data2 = data1.rootSessionId;
if(!isText(data2)){
this.wrong(instancePath+"/agent/rootSessionId", data2, "text");
}
}
if(data1.sessions !== undefined){
let data3 = data1.sessions;
if(!isList(data3)){
this.wrong(instancePath+"/agent/sessions", data3, "list");
}
if(Array.isArray(data3)){
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
if(!isObject(data4)){
this.wrong(instancePath+"/agent/sessions/" + i0, data4, "object");
}
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
if(data4.id !== undefined){
let data5 = data4.id;
if(!isText(data5)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/id", data5, "text");
}
}
if(data4.kind !== undefined){
let data6 = data4.kind;
if(!isText(data6)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/kind", data6, "text");
}
}
if(data4.rootSessionId !== undefined){
let data7 = data4.rootSessionId;
if(!isText(data7)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/rootSessionId", data7, "text");
}
}
if(data4.rootTurnId !== undefined){
let data8 = data4.rootTurnId;
if(!isText(data8)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/rootTurnId", data8, "text");
}
}
if(data4.parentSessionId !== undefined){
let data9 = data4.parentSessionId;
if(!isText(data9)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/parentSessionId", data9, "text");
}
}
if(data4.parentTurnId !== undefined){
let data10 = data4.parentTurnId;
if(!isText(data10)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/parentTurnId", data10, "text");
}
}
if(data4.parentToolCallId !== undefined){
let data11 = data4.parentToolCallId;
if(!isText(data11)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/parentToolCallId", data11, "text");
}
}
if(data4.origin !== undefined){
let data12 = data4.origin;
if(!isText(data12)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/origin", data12, "text");
}
}
if(data4.agentTargetId !== undefined){
let data13 = data4.agentTargetId;
if(!isText(data13)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/agentTargetId", data13, "text");
}
}
if(data4.provider !== undefined){
let data14 = data4.provider;
if(!isText(data14)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/provider", data14, "text");
}
}
if(data4.providerSessionId !== undefined){
let data15 = data4.providerSessionId;
if(!isText(data15)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/providerSessionId", data15, "text");
}
}
if(data4.model !== undefined){
let data16 = data4.model;
if(!isText(data16)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/model", data16, "text");
}
}
if(data4.settings !== undefined){
let data17 = data4.settings;
if(!isObject(data17)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/settings", data17, "object");
}
}
if(data4.providerResumeCheckpoint !== undefined){
let data18 = data4.providerResumeCheckpoint;
if(!isObject(data18)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/providerResumeCheckpoint", data18, "object");
}
}
if(data4.cwd !== undefined){
let data19 = data4.cwd;
if(!isText(data19)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/cwd", data19, "text");
}
}
if(data4.railSectionKind !== undefined){
let data20 = data4.railSectionKind;
if(!isText(data20)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/railSectionKind", data20, "text");
}
}
if(data4.railProjectPath !== undefined){
let data21 = data4.railProjectPath;
if(!isText(data21)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/railProjectPath", data21, "text");
}
}
if(data4.railSectionKey !== undefined){
let data22 = data4.railSectionKey;
if(!isText(data22)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/railSectionKey", data22, "text");
}
}
if(data4.title !== undefined){
let data23 = data4.title;
if(!isText(data23)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/title", data23, "text");
}
}
if(data4.activeTurnId !== undefined){
let data24 = data4.activeTurnId;
if(!isText(data24)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/activeTurnId", data24, "text");
}
}
if(data4.pinned !== undefined){
let data25 = data4.pinned;
if(!isFlag(data25)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/pinned", data25, "flag");
}
}
if(data4.turns !== undefined){
let data26 = data4.turns;
if(!isList(data26)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns", data26, "list");
}
if(Array.isArray(data26)){
const len1 = data26.length;
for(let i1=0; i1<len1; i1++){
let data27 = data26[i1];
if(!isObject(data27)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1, data27, "object");
}
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
if(data27.id !== undefined){
let data28 = data27.id;
if(!isText(data28)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/id", data28, "text");
}
}
if(data27.capabilityRefs !== undefined){
let data29 = data27.capabilityRefs;
if(!isList(data29)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/capabilityRefs", data29, "list");
}
if(Array.isArray(data29)){
const len2 = data29.length;
for(let i2=0; i2<len2; i2++){
let data30 = data29[i2];
if(!isObject(data30)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/capabilityRefs/" + i2, data30, "object");
}
if(data30 && typeof data30 == "object" && !Array.isArray(data30)){
if(data30.capability !== undefined){
let data31 = data30.capability;
if(!isText(data31)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/capabilityRefs/" + i2+"/capability", data31, "text");
}
}
if(data30.source !== undefined){
let data32 = data30.source;
if(!isText(data32)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/capabilityRefs/" + i2+"/source", data32, "text");
}
}
}
}
}
}
if(data27.phase !== undefined){
let data33 = data27.phase;
if(!isText(data33)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/phase", data33, "text");
}
}
if(data27.outcome !== undefined){
let data34 = data27.outcome;
if(!isText(data34)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/outcome", data34, "text");
}
}
if(data27.error !== undefined){
let data35 = data27.error;
if(!isObject(data35)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/error", data35, "object");
}
}
if(data27.fileChanges !== undefined){
let data36 = data27.fileChanges;
if(!isObject(data36)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/fileChanges", data36, "object");
}
}
if(data27.completedCommand !== undefined){
let data37 = data27.completedCommand;
if(!isObject(data37)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/completedCommand", data37, "object");
}
}
if(data27.origin !== undefined){
let data38 = data27.origin;
if(!isText(data38)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/origin", data38, "text");
}
}
if(data27.sourceGoalOperationId !== undefined){
let data39 = data27.sourceGoalOperationId;
if(!isText(data39)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/sourceGoalOperationId", data39, "text");
}
}
if(data27.sourceGoalRevision !== undefined){
let data40 = data27.sourceGoalRevision;
if(!isI64(data40)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/sourceGoalRevision", data40, "i64");
}
}
if(data27.sourceGoalRepairEpoch !== undefined){
let data41 = data27.sourceGoalRepairEpoch;
if(!isI64(data41)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/sourceGoalRepairEpoch", data41, "i64");
}
}
if(data27.rootProviderTurnId !== undefined){
let data42 = data27.rootProviderTurnId;
if(!isText(data42)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/turns/" + i1+"/rootProviderTurnId", data42, "text");
}
}
}
}
}
}
if(data4.messages !== undefined){
let data43 = data4.messages;
if(!isList(data43)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/messages", data43, "list");
}
if(Array.isArray(data43)){
const len3 = data43.length;
for(let i3=0; i3<len3; i3++){
let data44 = data43[i3];
if(!isObject(data44)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/messages/" + i3, data44, "object");
}
if(data44 && typeof data44 == "object" && !Array.isArray(data44)){
if(data44.id !== undefined){
let data45 = data44.id;
if(!isText(data45)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/messages/" + i3+"/id", data45, "text");
}
}
if(data44.turnId !== undefined){
let data46 = data44.turnId;
if(!isText(data46)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/messages/" + i3+"/turnId", data46, "text");
}
}
if(data44.role !== undefined){
let data47 = data44.role;
if(!isText(data47)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/messages/" + i3+"/role", data47, "text");
}
}
if(data44.kind !== undefined){
let data48 = data44.kind;
if(!isText(data48)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/messages/" + i3+"/kind", data48, "text");
}
}
if(data44.status !== undefined){
let data49 = data44.status;
if(!isText(data49)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/messages/" + i3+"/status", data49, "text");
}
}
if(data44.semantics !== undefined){
let data50 = data44.semantics;
if(!isObject(data50)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/messages/" + i3+"/semantics", data50, "object");
}
}
if(data44.payload !== undefined){
let data51 = data44.payload;
if(!isObject(data51)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/messages/" + i3+"/payload", data51, "object");
}
}
}
}
}
}
if(data4.interactions !== undefined){
let data52 = data4.interactions;
if(!isList(data52)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/interactions", data52, "list");
}
if(Array.isArray(data52)){
const len4 = data52.length;
for(let i4=0; i4<len4; i4++){
let data53 = data52[i4];
if(!isObject(data53)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/interactions/" + i4, data53, "object");
}
if(data53 && typeof data53 == "object" && !Array.isArray(data53)){
if(data53.requestId !== undefined){
let data54 = data53.requestId;
if(!isText(data54)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/interactions/" + i4+"/requestId", data54, "text");
}
}
if(data53.turnId !== undefined){
let data55 = data53.turnId;
if(!isText(data55)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/interactions/" + i4+"/turnId", data55, "text");
}
}
if(data53.kind !== undefined){
let data56 = data53.kind;
if(!isText(data56)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/interactions/" + i4+"/kind", data56, "text");
}
}
if(data53.status !== undefined){
let data57 = data53.status;
if(!isText(data57)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/interactions/" + i4+"/status", data57, "text");
}
}
if(data53.toolName !== undefined){
let data58 = data53.toolName;
if(!isText(data58)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/interactions/" + i4+"/toolName", data58, "text");
}
}
if(data53.input !== undefined){
let data59 = data53.input;
if(!isObject(data59)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/interactions/" + i4+"/input", data59, "object");
}
}
if(data53.output !== undefined){
let data60 = data53.output;
if(!isObject(data60)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/interactions/" + i4+"/output", data60, "object");
}
}
if(data53.metadata !== undefined){
let data61 = data53.metadata;
if(!isObject(data61)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/interactions/" + i4+"/metadata", data61, "object");
}
}
}
}
}
}
if(data4.goal !== undefined){
let data62 = data4.goal;
if(!isObject(data62)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/goal", data62, "object");
}
if(data62 && typeof data62 == "object" && !Array.isArray(data62)){
if(data62.desired !== undefined){
let data63 = data62.desired;
if(!isObject(data63)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/goal/desired", data63, "object");
}
}
if(data62.observed !== undefined){
let data64 = data62.observed;
if(!isObject(data64)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/goal/observed", data64, "object");
}
}
if(data62.revision !== undefined){
let data65 = data62.revision;
if(!isI64(data65)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/goal/revision", data65, "i64");
}
}
if(data62.tombstoned !== undefined){
let data66 = data62.tombstoned;
if(!isFlag(data66)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/goal/tombstoned", data66, "flag");
}
}
if(data62.syncStatus !== undefined){
let data67 = data62.syncStatus;
if(!isText(data67)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/goal/syncStatus", data67, "text");
}
}
if(data62.pendingOperationId !== undefined){
let data68 = data62.pendingOperationId;
if(!isText(data68)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/goal/pendingOperationId", data68, "text");
}
}
if(data62.lastEvidence !== undefined){
let data69 = data62.lastEvidence;
if(!isObject(data69)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/goal/lastEvidence", data69, "object");
}
}
if(data62.lastError !== undefined){
let data70 = data62.lastError;
if(!isText(data70)){
this.wrong(instancePath+"/agent/sessions/" + i0+"/goal/lastError", data70, "text");
}
}
}
}
}
}
}
}
}
}
if(data.tuttiMode !== undefined){
let data71 = data.tuttiMode;
if(!isObject(data71)){
this.wrong(instancePath+"/tuttiMode", data71, "object");
}
if(data71 && typeof data71 == "object" && !Array.isArray(data71)){
if(data71.activations !== undefined){
let data72 = data71.activations;
if(!isList(data72)){
this.wrong(instancePath+"/tuttiMode/activations", data72, "list");
}
if(Array.isArray(data72)){
const len5 = data72.length;
for(let i5=0; i5<len5; i5++){
let data73 = data72[i5];
if(!isObject(data73)){
this.wrong(instancePath+"/tuttiMode/activations/" + i5, data73, "object");
}
if(data73 && typeof data73 == "object" && !Array.isArray(data73)){
if(data73.id !== undefined){
let data74 = data73.id;
if(!isText(data74)){
this.wrong(instancePath+"/tuttiMode/activations/" + i5+"/id", data74, "text");
}
}
if(data73.sessionId !== undefined){
let data75 = data73.sessionId;
if(!isText(data75)){
this.wrong(instancePath+"/tuttiMode/activations/" + i5+"/sessionId", data75, "text");
}
}
if(data73.currentRevisionId !== undefined){
let data76 = data73.currentRevisionId;
if(!isText(data76)){
this.wrong(instancePath+"/tuttiMode/activations/" + i5+"/currentRevisionId", data76, "text");
}
}
if(data73.currentRevision !== undefined){
let data77 = data73.currentRevision;
if(!isI64(data77)){
this.wrong(instancePath+"/tuttiMode/activations/" + i5+"/currentRevision", data77, "i64");
}
}
if(data73.state !== undefined){
let data78 = data73.state;
if(!isText(data78)){
this.wrong(instancePath+"/tuttiMode/activations/" + i5+"/state", data78, "text");
}
}
if(data73.source !== undefined){
let data79 = data73.source;
if(!isText(data79)){
this.wrong(instancePath+"/tuttiMode/activations/" + i5+"/source", data79, "text");
}
}
if(data73.effect !== undefined){
let data80 = data73.effect;
if(!isI64(data80)){
this.wrong(instancePath+"/tuttiMode/activations/" + i5+"/effect", data80, "i64");
}
}
if(data73.speed !== undefined){
let data81 = data73.speed;
if(!isI64(data81)){
this.wrong(instancePath+"/tuttiMode/activations/" + i5+"/speed", data81, "i64");
}
}
}
}
}
}
if(data71.turnSnapshots !== undefined){
let data82 = data71.turnSnapshots;
if(!isList(data82)){
this.wrong(instancePath+"/tuttiMode/turnSnapshots", data82, "list");
}
if(Array.isArray(data82)){
const len6 = data82.length;
for(let i6=0; i6<len6; i6++){
let data83 = data82[i6];
if(!isObject(data83)){
this.wrong(instancePath+"/tuttiMode/turnSnapshots/" + i6, data83, "object");
}
if(data83 && typeof data83 == "object" && !Array.isArray(data83)){
if(data83.sessionId !== undefined){
let data84 = data83.sessionId;
if(!isText(data84)){
this.wrong(instancePath+"/tuttiMode/turnSnapshots/" + i6+"/sessionId", data84, "text");
}
}
if(data83.turnId !== undefined){
let data85 = data83.turnId;
if(!isText(data85)){
this.wrong(instancePath+"/tuttiMode/turnSnapshots/" + i6+"/turnId", data85, "text");
}
}
if(data83.activationId !== undefined){
let data86 = data83.activationId;
if(!isText(data86)){
this.wrong(instancePath+"/tuttiMode/turnSnapshots/" + i6+"/activationId", data86, "text");
}
}
if(data83.revisionId !== undefined){
let data87 = data83.revisionId;
if(!isText(data87)){
this.wrong(instancePath+"/tuttiMode/turnSnapshots/" + i6+"/revisionId", data87, "text");
}
}
if(data83.revision !== undefined){
let data88 = data83.revision;
if(!isI64(data88)){
this.wrong(instancePath+"/tuttiMode/turnSnapshots/" + i6+"/revision", data88, "i64");
}
}
if(data83.state !== undefined){
let data89 = data83.state;
if(!isText(data89)){
this.wrong(instancePath+"/tuttiMode/turnSnapshots/" + i6+"/state", data89, "text");
}
}
if(data83.source !== undefined){
let data90 = data83.source;
if(!isText(data90)){
this.wrong(instancePath+"/tuttiMode/turnSnapshots/" + i6+"/source", data90, "text");
}
}
if(data83.preferenceVersion !== undefined){
let data91 = data83.preferenceVersion;
if(!isI64(data91)){
this.wrong(instancePath+"/tuttiMode/turnSnapshots/" + i6+"/preferenceVersion", data91, "i64");
}
}
if(data83.effect !== undefined){
let data92 = data83.effect;
if(!isI64(data92)){
this.wrong(instancePath+"/tuttiMode/turnSnapshots/" + i6+"/effect", data92, "i64");
}
}
if(data83.speed !== undefined){
let data93 = data83.speed;
if(!isI64(data93)){
this.wrong(instancePath+"/tuttiMode/turnSnapshots/" + i6+"/speed", data93, "i64");
}
}
if(data83.dispatchState !== undefined){
let data94 = data83.dispatchState;
if(!isText(data94)){
this.wrong(instancePath+"/tuttiMode/turnSnapshots/" + i6+"/dispatchState", data94, "text");
}
}
}
}
}
}
}
}
if(data.workflows !== undefined){
let data95 = data.workflows;
if(!isList(data95)){
this.wrong(instancePath+"/workflows", data95, "list");
}
if(Array.isArray(data95)){
const len7 = data95.length;
for(let i7=0; i7<len7; i7++){
let data96 = data95[i7];
if(!isObject(data96)){
this.wrong(instancePath+"/workflows/" + i7, data96, "object");
}
if(data96 && typeof data96 == "object" && !Array.isArray(data96)){
if(data96.id !== undefined){
let data97 = data96.id;
if(!isText(data97)){
this.wrong(instancePath+"/workflows/" + i7+"/id", data97, "text");
}
}
if(data96.type !== undefined){
let data98 = data96.type;
if(!isText(data98)){
this.wrong(instancePath+"/workflows/" + i7+"/type", data98, "text");
}
}
if(data96.triggerKind !== undefined){
let data99 = data96.triggerKind;
if(!isText(data99)){
this.wrong(instancePath+"/workflows/" + i7+"/triggerKind", data99, "text");
}
}
if(data96.sourceSessionId !== undefined){
let data100 = data96.sourceSessionId;
if(!isText(data100)){
this.wrong(instancePath+"/workflows/" + i7+"/sourceSessionId", data100, "text");
}
}
if(data96.sourceTurnId !== undefined){
let data101 = data96.sourceTurnId;
if(!isText(data101)){
this.wrong(instancePath+"/workflows/" + i7+"/sourceTurnId", data101, "text");
}
}
if(data96.sourceToolCallId !== undefined){
let data102 = data96.sourceToolCallId;
if(!isText(data102)){
this.wrong(instancePath+"/workflows/" + i7+"/sourceToolCallId", data102, "text");
}
}
if(data96.status !== undefined){
let data103 = data96.status;
if(!isText(data103)){
this.wrong(instancePath+"/workflows/" + i7+"/status", data103, "text");
}
}
if(data96.currentRevisionId !== undefined){
let data104 = data96.currentRevisionId;
if(!isText(data104)){
this.wrong(instancePath+"/workflows/" + i7+"/currentRevisionId", data104, "text");
}
}
if(data96.issueIds !== undefined){
let data105 = data96.issueIds;
if(!isList(data105)){
this.wrong(instancePath+"/workflows/" + i7+"/issueIds", data105, "list");
}
if(Array.isArray(data105)){
const len8 = data105.length;
for(let i8=0; i8<len8; i8++){
let data106 = data105[i8];
if(!isText(data106)){
this.wrong(instancePath+"/workflows/" + i7+"/issueIds/" + i8, data106, "text");
}
}
}
}
}
}
}
}
if(data.issues !== undefined){
let data107 = data.issues;
if(!isList(data107)){
this.wrong(instancePath+"/issues", data107, "list");
}
if(Array.isArray(data107)){
const len9 = data107.length;
for(let i9=0; i9<len9; i9++){
let data108 = data107[i9];
if(!isObject(data108)){
this.wrong(instancePath+"/issues/" + i9, data108, "object");
}
if(data108 && typeof data108 == "object" && !Array.isArray(data108)){
if(data108.id !== undefined){
let data109 = data108.id;
if(!isText(data109)){
this.wrong(instancePath+"/issues/" + i9+"/id", data109, "text");
}
}
if(data108.title !== undefined){
let data110 = data108.title;
if(!isText(data110)){
this.wrong(instancePath+"/issues/" + i9+"/title", data110, "text");
}
}
if(data108.content !== undefined){
let data111 = data108.content;
if(!isText(data111)){
this.wrong(instancePath+"/issues/" + i9+"/content", data111, "text");
}
}
if(data108.status !== undefined){
let data112 = data108.status;
if(!isText(data112)){
this.wrong(instancePath+"/issues/" + i9+"/status", data112, "text");
}
}
if(data108.tasks !== undefined){
let data113 = data108.tasks;
if(!isList(data113)){
this.wrong(instancePath+"/issues/" + i9+"/tasks", data113, "list");
}
if(Array.isArray(data113)){
const len10 = data113.length;
for(let i10=0; i10<len10; i10++){
let data114 = data113[i10];
if(!isObject(data114)){
this.wrong(instancePath+"/issues/" + i9+"/tasks/" + i10, data114, "object");
}
if(data114 && typeof data114 == "object" && !Array.isArray(data114)){
if(data114.id !== undefined){
let data115 = data114.id;
if(!isText(data115)){
this.wrong(instancePath+"/issues/" + i9+"/tasks/" + i10+"/id", data115, "text");
}
}
if(data114.title !== undefined){
let data116 = data114.title;
if(!isText(data116)){
this.wrong(instancePath+"/issues/" + i9+"/tasks/" + i10+"/title", data116, "text");
}
}
if(data114.content !== undefined){
let data117 = data114.content;
if(!isText(data117)){
this.wrong(instancePath+"/issues/" + i9+"/tasks/" + i10+"/content", data117, "text");
}
}
if(data114.status !== undefined){
let data118 = data114.status;
if(!isText(data118)){
this.wrong(instancePath+"/issues/" + i9+"/tasks/" + i10+"/status", data118, "text");
}
}
if(data114.priority !== undefined){
let data119 = data114.priority;
if(!isText(data119)){
this.wrong(instancePath+"/issues/" + i9+"/tasks/" + i10+"/priority", data119, "text");
}
}
if(data114.position !== undefined){
let data120 = data114.position;
if(!isI64(data120)){
this.wrong(instancePath+"/issues/" + i9+"/tasks/" + i10+"/position", data120, "i64");
}
}
}
}
}
}
}
}
}
}
}
validate21.errors = vErrors;
return errors === 0;
}
