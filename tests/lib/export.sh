# shellcheck shell=bash
# Small AQTime exports for tests. Source this file after tap.sh.
#
#	export_make DIR		writes a whole export: two objects, an error, stacks, names
#	export_line DIR TABLE LINE	appends a row to a table
#	export_edit DIR TABLE SED	edits a table

export_make() {
    mkdir -p "$1"
    printf '%s\n' 'CAPTION,COUNTER_DESCRIPTION,COUNTER_FREQUENCY,COUNTER_NAME,INST_ID' \
        'first,,,,1' >"$1/INSTANCES.csv"
    printf '%s\n' 'COL_CHILD_TABLE,COL_PARENT_TABLE,ID,INST_ID' \
        'RESOURCE_PROFILER_CALL_STACK,RESOURCE_PROFILER_ERRORS,0,1' \
        'RESOURCE_PROFILER_OBJECTS,,1,1' >"$1/RELATIONS.csv"
    printf '%s\n' 'COL_SIZE,COL_WIN32THREADID,ID,INST_ID,PARENT_ID,REC_ID' \
        ',4242,0,1,-1,5' >"$1/RESOURCE_PROFILER_THREADS.csv"
    printf '%s\n' 'COL_CLASS_NAME,COL_MODULE_NAME,COL_SYMBOL_MONIKER,ID,INST_ID,PARENT_ID,REC_ID' \
        'Bitmap,app.exe,,0,1,-1,100' >"$1/RESOURCE_PROFILER_META_CLASSES_DATA.csv"
    printf '%s\n' 'COL_CLASS_NAME,COL_LIVE_COUNT,COL_LIVE_SIZE,COL_MODULE_NAME,COL_PEAK_CREATED,COL_PEAK_SIZE,COL_TOTAL_CREATED,COL_TOTAL_SIZE,ID,INST_ID,PARENT_ID,REC_ID' \
        'Bitmap,2,30,app.exe,3,40,9,90,0,1,-1,100' >"$1/RESOURCE_PROFILER_CLASSES_DATA.csv"
    printf '%s\n' 'COL_CLASS_NAME,COL_MODULE_NAME,COL_ROUTINE_NAME,COL_SOURCE_FILE,COL_SOURCE_LINE,ID,INST_ID,PARENT_ID,REC_ID' \
        ',gdi32.dll,CreateBitmap,,,0,1,-1,70' \
        'TForm,app.exe,Paint,form.pas,10,1,1,-1,77' \
        ',app.exe,main,main.pas,1,2,1,-1,84' >"$1/RESOURCE_PROFILER_META_ROUTINES.csv"
    printf '%s\n' 'COL_SOURCE_LINE,ID,INST_ID,PARENT_ID,REC_ID' \
        '12,0,1,1,0' '14,1,1,1,1' >"$1/RESOURCE_PROFILER_META_LINES.csv"
    printf '%s\n' 'COL__,COL_ADDRESS,COL_CLASSRID,COL_GET_,COL_SIZE,COL_THREADID,ID,INST_ID,PARENT_ID,REC_ID' \
        '3,18446744073705122959,100,1,10,5,0,1,-1,0' \
        '8,4096,100,1,20,5,1,1,-1,1' >"$1/RESOURCE_PROFILER_OBJECTS.csv"
    printf '%s\n' 'COL_HIT_COUNT,COL_LINERID,COL_ROUTINERID,ID,INST_ID,PARENT_ID,REC_ID' \
        '1,-1,70,0,1,0,0' '1,0,77,1,1,0,1' '1,-1,84,2,1,0,2' \
        '1,-1,70,3,1,1,0' '1,1,77,4,1,1,1' '1,-1,84,5,1,1,2' \
        >"$1/RESOURCE_PROFILER_CREATION_CALL_STACK.csv"
    printf '%s\n' 'COL__,COL_DESCRIPTION,COL_ERROR_CODE,COL_KIND,COL_NAME,ID,INST_ID,PARENT_ID,REC_ID' \
        '1,The handle is invalid.,2147942487,2,DeleteObject,0,1,0,0' \
        >"$1/RESOURCE_PROFILER_ERRORS.csv"
    printf '%s\n' 'COL_ROUTINERID,ID,INST_ID,PARENT_ID,REC_ID' \
        '77,0,1,0,0' '84,1,1,0,1' >"$1/RESOURCE_PROFILER_CALL_STACK.csv"
}

export_file() {
    case $2 in
    INSTANCES | RELATIONS) echo "$1/$2.csv" ;;
    *) echo "$1/RESOURCE_PROFILER_$2.csv" ;;
    esac
}

export_line() {
    printf '%s\n' "$3" >>"$(export_file "$1" "$2")"
}

export_edit() {
    sed -i "$3" "$(export_file "$1" "$2")"
}
