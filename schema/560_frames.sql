-- Frame owners: an allocator, the system, or the program. The loader has the same rule in src/model/frame_owner.c
-- and frame_owner_pascal.c.
-- The lists are fixed, because finding identities depend on them.

-- A name can be mangled or demangled, and can have the prefix of an interceptor.
CREATE FUNCTION profdepot.is_allocator_frame(p_routine text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN COALESCE(p_routine, '') COLLATE "C" ~ (
        '^(_+interceptor_(trampoline_)?|_+asan_|__wrap_|(__GI_)?__libc_|__GI_|[jtm][eci]_|rtl_|x|g_|safe|@|Sys|SYS|Debug|Fast|FastMM_(Debug)?)?_*'
        || '(malloc|calloc|realloc|reallocarray|memalign|posix_memalign|aligned_alloc|valloc|pvalloc'
        || '|free|cfree|strdup|strndup|wcsdup|asprintf|vasprintf|mmap|mmap64|mremap|munmap|s?brk'
        || '|malloc0|malloc_n|malloc0_n|zalloc|HeapAlloc|HeapReAlloc|RtlAllocateHeap'
        || '|(Get|Free|Realloc|Alloc)Mem|(GET|FREE|REALLOC|ALLOC)MEM)'
        || '($|[ (@.\[])'
        || '|^(_+interceptor_)?operator (new|delete)|^_Z(n[aw]|d[al])[a-zA-Z0-9_]*$|^tc_(new|delete)|^Perl_safesys[a-z]+$');
END;
$$;
COMMENT ON FUNCTION profdepot.is_allocator_frame(text) IS 'whether a routine with this name only allocates or frees memory, such as malloc, operator new or an interceptor';

-- Does not use regular expressions: a session caches only 32 compiled expressions, and the other functions of this
-- file and of the next file already use nearly as many.
CREATE FUNCTION profdepot.is_pascal_system_frame(p_class text, p_routine text, p_unit text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    u text COLLATE "C" := lower(COALESCE(p_unit, '') COLLATE "C");
    r text COLLATE "C" := COALESCE(p_routine, '');
BEGIN
    RETURN split_part(u, '.', 1) = ANY ('{system,vcl,winapi,fmx,posix,macapi,androidapi,iosapi}'::text[]) AND u LIKE '%.%'
        OR u = ANY (('{system,sysinit,sysutils,classes,variants,varutils,typinfo,rtti,contnrs,syncobjs,'
            || 'dateutils,strutils,rtlconsts,sysconst,inifiles,comobj,comserv,activex,windows,'
            || 'messages,registry,ansistrings,widestrutils,generics.collections,generics.defaults,'
            || 'objpas,baseunix,cthreads,fgl,heaptrc,jcldebug,jclhookexcept,madexcept,exceptionlog,'
            || 'exceptionlog7}')::text[])
        OR u LIKE 'fastmm%'
        OR u = ANY (('{actnlist,actnman,buttons,checklst,clipbrd,comctrls,controls,dbctrls,dbgrids,dialogs,'
            || 'extctrls,extdlgs,forms,graphics,grids,imglist,jpeg,mask,menus,printers,stdactns,'
            || 'stdctrls,themes,toolwin,valedit}')::text[])
            AND COALESCE(p_class, '') LIKE 'T_%' AND substr(p_class, 2, 1) COLLATE "C" BETWEEN 'A' AND 'Z'
        OR r LIKE ANY ('{System.%,Vcl.%,Winapi.%,FMX.%,FastMM\\_%}'::text[])
        OR r = ANY (('{GetFrameBasedStackTrace,GetRawStackTrace,LogStackTrace,'
            || 'AtomicCmpExchange,AtomicDecrement,AtomicExchange,AtomicIncrement}')::text[])
        OR r LIKE '@_%' AND translate(r, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_', '') = '@';
END;
$$;
COMMENT ON FUNCTION profdepot.is_pascal_system_frame(text, text, text) IS 'whether a frame with this class, routine and unit belongs to the runtime or the libraries of Delphi or Free Pascal, or to a memory manager for them';

CREATE FUNCTION profdepot.is_system_frame(p_module text, p_class text, p_routine text, p_file text, p_unit text)
RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN profdepot.is_allocator_frame(p_routine)
        OR COALESCE(p_routine, '') COLLATE "C" ~ (
            '^(_start|_init|_dl_[a-z_]+|start_thread|thread_start|clone3?|__clone3?|__libc_start_[a-z_]+'
            || '|BaseThreadInitThunk|RtlUserThreadStart|asan_thread_start|invoke_main|_Unwind_[A-Za-z_]+|__cxa_[a-z_]+'
            || '|_*(w?mainCRTStartup|w?WinMainCRTStartup|tmainCRTStartup|scrt_common_main(_seh)?)'
            || '|_+interceptor_[a-z0-9_]+|__(asan|lsan|tsan|msan|ubsan|sanitizer)_[A-Za-z0-9_]*)$'
            || '|^([a-z_]+[ *&]+)?<?(std|core|alloc|__gnu_cxx|__cxxabiv1|__sanitizer|__asan|__lsan|__tsan)::'
            || '|^runtime\.')
        OR (COALESCE(p_routine, '') COLLATE "C" ~ '^(|\?\?|0x[0-9a-fA-F]+)$'
            AND COALESCE(p_file, '') = '' AND COALESCE(p_module, '') = '')
        OR COALESCE(p_class, '') COLLATE "C" ~ '^(std|__gnu_cxx|core|alloc)(::|$)'
        OR COALESCE(p_module, '') COLLATE "C" ~ (
            '^(/usr)?/(lib|lib32|lib64|libx32|libexec)/'
            || '|^/(System|usr/lib/system)/'
            || '|(^|/)(ld-linux[^/]*|ld-musl[^/]*|libc|libm|libdl|librt|libpthread|libstdc\+\+|libc\+\+|libc\+\+abi|libgcc_s'
            || '|libasan|liblsan|libtsan|libmsan|libubsan|libclang_rt\.[^/]*|vgpreload_[^/]*|libheaptrack[^/]*'
            || '|libjemalloc|libtcmalloc[^/]*|libmimalloc|linux-vdso|linux-gate)([-.][^/]*)?$')
        OR lower(COALESCE(p_module, '')) COLLATE "C" ~ (
            '(^|[\\/])(windows[\\/](system32|syswow64)[\\/].*|(ntdll|kernel32|kernelbase|user32|gdi32|gdiplus|ole32|oleaut32|comctl32|comdlg32'
            || '|advapi32|shell32|shlwapi|rpcrt4|combase|win32u|ws2_32|winspool|msvcrt|ucrtbase|vcruntime[0-9]*(_[0-9])?|msvcp[0-9]*'
            || '|fastmm_fulldebugmode(64)?|borlndmm)\.(dll|drv)|((db)?rtl|vcl[a-z]*|fmx[a-z]*)[0-9]*\.bpl)$')
        OR COALESCE(p_file, '') COLLATE "C" ~ (
            '(^|/)(libsanitizer|compiler-rt|sanitizer_common|mingw-w64-crt)/'
            || '|^(\.\./|\./)+(sysdeps|csu|nptl|malloc|elf|stdlib|string|io|iconv|libio|posix|misc)/'
            || '|^/usr/(include|lib)/|^/rustc/'
            || '|(^|/)vg_replace_[a-z]+\.c$')
        OR profdepot.is_pascal_system_frame(p_class, p_routine, p_unit);
END;
$$;
COMMENT ON FUNCTION profdepot.is_system_frame(text, text, text, text, text) IS 'whether a frame with this module, class, routine, source file and Pascal unit belongs to an allocator, a runtime or a system library; the own frame of a stack is usually the innermost frame for which this is false';
